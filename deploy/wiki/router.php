<?php
// Router of `php -S` for a MediaWiki with $wgScriptPath "/w" and $wgArticlePath "/wiki/$1", whose files lie in SIDELIGHT_WIKI_PROGRAM.

$mw = getenv( 'SIDELIGHT_WIKI_PROGRAM' );
$path = rawurldecode( explode( '?', $_SERVER['REQUEST_URI'], 2 )[0] );

if ( $path === '/' ) {
	header( 'Location: /wiki/Main_Page', true, 302 );
	return true;
}

if ( preg_match( '!^/w/((?:index|api|load|rest)\.php)(/.*)?$!s', $path, $match ) ) {
	$script = $match[1];
	$pathInfo = $match[2] ?? null;
} elseif ( $path === '/wiki' || str_starts_with( $path, '/wiki/' ) ) {
	$script = 'index.php';
	$pathInfo = null;
} else {
	serveStatic( $mw, $path );
	return true;
}

$_SERVER['SCRIPT_NAME'] = "/w/$script";
$_SERVER['SCRIPT_FILENAME'] = "$mw/$script";
$_SERVER['PHP_SELF'] = "/w/$script$pathInfo";
unset( $_SERVER['PATH_INFO'] );
if ( $pathInfo !== null ) {
	$_SERVER['PATH_INFO'] = $pathInfo;
}
chdir( $mw );
// here and not in a function: MediaWiki's settings are globals
require "$mw/$script";
return true;

/** Only from the folders that a real server would show. */
function serveStatic( string $mw, string $path ): void {
	$types = [ 'css' => 'text/css', 'js' => 'text/javascript', 'svg' => 'image/svg+xml', 'png' => 'image/png',
		'gif' => 'image/gif', 'jpg' => 'image/jpeg', 'ico' => 'image/x-icon', 'woff2' => 'font/woff2',
		'woff' => 'font/woff', 'json' => 'application/json' ];
	$file = preg_match( '!^/w/((?:resources|skins|extensions)/.*)$!s', $path, $match ) ? realpath( "$mw/{$match[1]}" ) : false;
	$type = $file ? ( $types[ strtolower( pathinfo( $file, PATHINFO_EXTENSION ) ) ] ?? null ) : null;
	if ( $type === null || !str_starts_with( $file, realpath( $mw ) . '/' ) || !is_file( $file ) ) {
		http_response_code( 404 );
		return;
	}
	header( "Content-Type: $type" );
	header( 'Cache-Control: public, max-age=3600' );
	header( 'Content-Length: ' . filesize( $file ) );
	readfile( $file );
}
