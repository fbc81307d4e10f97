<?php
// What the review page needs of Extension:OAuth, which Debian does not package: its OAuth 2.0 paths and answers for "who is this?",
// authorization code with PKCE. Account, login page, groups and blocks are MediaWiki's own. Absent: refresh tokens, JWTs, asking
// the API by token. Clients: SIDELIGHT_WIKI_CLIENTS, {id: {name, secret, redirect}} as JSON (oauth.ts).
// https://www.mediawiki.org/wiki/Extension:OAuth#OAuth_2.0_REST_endpoints

use MediaWiki\Html\Html;
use MediaWiki\MediaWikiServices;
use MediaWiki\Rest\SimpleHandler;
use MediaWiki\SpecialPage\SpecialPage;
use Wikimedia\ParamValidator\ParamValidator;

class OAuthGrants {
	private const SECONDS = [ 'code' => 60, 'access' => 600 ];

	public static function client( string $id ): ?array {
		return json_decode( getenv( 'SIDELIGHT_WIKI_CLIENTS' ) ?: '{}', true )[$id] ?? null;
	}

	/** Any port will do on loopback: https://www.rfc-editor.org/rfc/rfc8252#section-7.3 */
	public static function mayReturnTo( array $client, string $redirect ): bool {
		return preg_replace( '!^(http://127\.0\.0\.1):\d+/!', '$1/', $redirect ) === $client['redirect'];
	}

	public static function give( string $kind, array $grant ): string {
		$secret = bin2hex( random_bytes( 24 ) );
		self::store()->set( self::key( $kind, $secret ), $grant, self::SECONDS[$kind] );
		return $secret;
	}

	public static function get( string $kind, string $secret ): ?array {
		return self::store()->get( self::key( $kind, $secret ) ) ?: null;
	}

	/** A code is good for one use, whatever comes of it. */
	public static function take( string $kind, string $secret ): ?array {
		$grant = self::get( $kind, $secret );
		self::store()->delete( self::key( $kind, $secret ) );
		return $grant;
	}

	private static function store() {
		return MediaWikiServices::getInstance()->getObjectCacheFactory()->getInstance( CACHE_DB );
	}

	private static function key( string $kind, string $secret ): string {
		return self::store()->makeKey( 'oauth', $kind, hash( 'sha256', $secret ) );
	}
}

class OAuthAuthorize extends SimpleHandler {
	public function run() {
		$page = SpecialPage::getTitleFor( 'OAuth' )->getFullURL( $this->getRequest()->getQueryParams() );
		return $this->getResponseFactory()->createTemporaryRedirect( $page );
	}

	public function needsWriteAccess() {
		return false;
	}
}

class SpecialOAuth extends SpecialPage {
	public function __construct() {
		parent::__construct( 'OAuth', '', false );
	}

	public function getDescription() {
		return $this->msg( 'rawmessage' )->plaintextParams( 'Authorize application' );
	}

	public function execute( $par ) {
		$this->setHeaders();
		$this->requireNamedUser();
		$request = $this->getRequest();
		$asked = [];
		foreach ( [ 'client_id', 'redirect_uri', 'response_type', 'state', 'code_challenge', 'code_challenge_method' ] as $key ) {
			$asked[$key] = $request->getVal( $key, '' );
		}
		$client = OAuthGrants::client( $asked['client_id'] );
		if ( !$client || !OAuthGrants::mayReturnTo( $client, $asked['redirect_uri'] ) || $asked['response_type'] !== 'code'
			|| $asked['code_challenge'] === '' || $asked['code_challenge_method'] !== 'S256'
		) {
			$this->getOutput()->setStatusCode( 400 );
			$this->getOutput()->addHTML( Html::errorBox( 'Wrong client_id, redirect_uri, response_type or code_challenge.' ) );
		} elseif ( $request->wasPosted() && $this->getUser()->matchEditToken( $request->getVal( 'wpToken' ), 'oauth' ) ) {
			$this->answer( $asked, $request->getCheck( 'accept' ) );
		} else {
			$this->ask( $client, $asked );
		}
	}

	private function answer( array $asked, bool $accepts ): void {
		$grant = [ 'user' => $this->getUser()->getId() ] + $asked;
		$answer = $accepts ? [ 'code' => OAuthGrants::give( 'code', $grant ) ] : [ 'error' => 'access_denied' ];
		$this->getOutput()->redirect( wfAppendQuery( $asked['redirect_uri'], $answer + [ 'state' => $asked['state'] ] ) );
	}

	private function ask( array $client, array $asked ): void {
		$fields = Html::hidden( 'wpToken', $this->getUser()->getEditToken( 'oauth' ) );
		foreach ( $asked as $key => $value ) {
			$fields .= Html::hidden( $key, $value );
		}
		$question = "{$client['name']} would like to know that you are {$this->getUser()->getName()}.";
		$this->getOutput()->addHTML( Html::rawElement( 'form', [ 'method' => 'post', 'action' => $this->getPageTitle()->getLocalURL() ],
			Html::element( 'p', [], $question ) . $fields . Html::submitButton( 'Allow', [ 'name' => 'accept' ] ) . ' '
			. Html::submitButton( 'Cancel', [ 'name' => 'cancel' ] ) ) );
	}
}

class OAuthAccessToken extends SimpleHandler {
	public function run() {
		$body = $this->getValidatedBody();
		$client = OAuthGrants::client( (string)$body['client_id'] );
		if ( !$client || !hash_equals( $client['secret'] ?? '', (string)$body['client_secret'] ) ) {
			return $this->answer( 401, [ 'error' => 'invalid_client' ] );
		}
		$grant = $body['grant_type'] === 'authorization_code' ? OAuthGrants::take( 'code', (string)$body['code'] ) : null;
		$challenge = rtrim( strtr( base64_encode( hash( 'sha256', (string)$body['code_verifier'], true ) ), '+/', '-_' ), '=' );
		if ( !$grant || $grant['client_id'] !== $body['client_id'] || $grant['redirect_uri'] !== $body['redirect_uri']
			|| !hash_equals( $grant['code_challenge'], $challenge )
		) {
			return $this->answer( 400, [ 'error' => 'invalid_grant' ] );
		}
		$token = OAuthGrants::give( 'access', [ 'user' => $grant['user'] ] );
		return $this->answer( 200, [ 'token_type' => 'Bearer', 'expires_in' => 600, 'access_token' => $token ] );
	}

	public function needsWriteAccess() {
		return false;
	}

	public function getSupportedRequestTypes(): array {
		return [ 'application/x-www-form-urlencoded' ];
	}

	public function getBodyParamSettings(): array {
		$text = [ self::PARAM_SOURCE => 'body', ParamValidator::PARAM_TYPE => 'string', ParamValidator::PARAM_REQUIRED => false ];
		return array_fill_keys( [ 'grant_type', 'code', 'redirect_uri', 'client_id', 'client_secret', 'code_verifier' ], $text );
	}

	private function answer( int $status, array $said ) {
		$response = $this->getResponseFactory()->createJson( $said );
		$response->setStatus( $status );
		return $response;
	}
}

class OAuthProfile extends SimpleHandler {
	public function run() {
		preg_match( '/^Bearer (\S+)$/i', $this->getRequest()->getHeaderLine( 'Authorization' ), $match );
		$grant = OAuthGrants::get( 'access', $match[1] ?? '' );
		if ( !$grant ) {
			$response = $this->getResponseFactory()->createJson( [ 'error' => 'access_denied' ] );
			$response->setStatus( 401 );
			return $response;
		}
		$services = MediaWikiServices::getInstance();
		$user = $services->getUserFactory()->newFromId( $grant['user'] );
		return $this->getResponseFactory()->createJson( [
			'sub' => $user->getId(),
			'username' => $user->getName(),
			'blocked' => $user->getBlock() !== null,
			'groups' => $services->getUserGroupManager()->getUserEffectiveGroups( $user ),
		] );
	}

	public function needsWriteAccess() {
		return false;
	}
}

$wgSpecialPages['OAuth'] = SpecialOAuth::class;
$wgRestAPIAdditionalRouteFiles[] = __DIR__ . '/oauth-routes.json';
