<?php
// Settings of the sample wiki and of the wikis of tests: the configuration file of MediaWiki, given in MW_CONFIG_FILE.
// What installWiki() made lies in SIDELIGHT_WIKI_DATA and may be moved. For loopback only: passwords are known and nothing is throttled.

$data = getenv( 'SIDELIGHT_WIKI_DATA' );
require "$data/LocalSettings.php";

$wgServer = getenv( 'SIDELIGHT_WIKI_ORIGIN' );
$wgSQLiteDataDir = "$data/database";
$wgObjectCaches[CACHE_DB]['server']['dbDirectory'] = $wgSQLiteDataDir;
$wgLocalisationCacheConf['storeServer']['dbDirectory'] = $wgSQLiteDataDir;
$wgJobTypeConf['default']['server']['dbDirectory'] = $wgSQLiteDataDir;

// Debian's package would write these to /var
$wgCacheDirectory = "$data/cache";
$wgDBerrorLog = "$data/error.log";
$wgDebugLogGroups = [ 'exception' => "$data/error.log", 'error' => "$data/error.log", 'fatal' => "$data/error.log" ];
$wgShowExceptionDetails = true;

// what phones show
wfLoadSkin( 'MinervaNeue' );
// the review page asks who somebody is
require __DIR__ . '/oauth.php';

$wgArticlePath = '/wiki/$1';
$wgUsePathInfo = true;
$wgMainCacheType = CACHE_ACCEL; // APCu: one segment for all workers of `php -S`
$wgMessageCacheType = CACHE_ACCEL;
$wgSessionCacheType = CACHE_DB; // a session outlives the server
$wgJobRunRate = 1;
$wgEnableEmail = false;
$wgEnableUploads = false;
$wgPingback = false;
$wgLogos = [ 'icon' => '/w/resources/assets/mediawiki.png' ];

// accounts with known passwords, edited by programs
$wgRateLimits = [];
$wgPasswordAttemptThrottle = [];
$wgAccountCreationThrottle = 0;
$wgPasswordPolicy['policies'] = [ 'default' => [] ];
$wgGroupPermissions['bot']['apihighlimits'] = true;
$wgGroupPermissions['sysop']['deleterevision'] = true;

// the review page, on another port of this machine, may ask the API
$wgCrossSiteAJAXdomains = [ '127.0.0.1:*', 'localhost:*' ];

// every edit, as JSON, to a channel: redis://host:port/channel
if ( getenv( 'SIDELIGHT_WIKI_FEED' ) ) {
	$wgRCFeeds['redis'] = [
		'class' => RedisPubSubFeedEngine::class,
		'formatter' => JSONRCFeedFormatter::class,
		'uri' => getenv( 'SIDELIGHT_WIKI_FEED' ),
		'add_interwiki_prefix' => false,
		'omit_bots' => false,
	];
}
