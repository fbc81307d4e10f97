<?php
// Maintenance script: makes the accounts that SIDELIGHT_WIKI_ACCOUNTS lists as JSON (accounts.ts), each with its groups and a bot password.

require_once getenv( 'SIDELIGHT_WIKI_PROGRAM' ) . '/maintenance/Maintenance.php';

class CreateAccounts extends Maintenance {
	public function execute() {
		foreach ( json_decode( getenv( 'SIDELIGHT_WIKI_ACCOUNTS' ), true, 8, JSON_THROW_ON_ERROR ) as $account ) {
			$this->createAccount( $account );
			$this->createBotPassword( $account );
		}
	}

	private function createAccount( array $account ): void {
		$options = [ 'force' => true, 'custom-groups' => implode( ',', $account['groups'] ) ];
		$this->runScript( 'createAndPromote', $options, [ $account['name'], $account['password'] ] );
	}

	private function createBotPassword( array $account ): void {
		$options = [ 'appid' => $account['bot']['app'], 'grants' => implode( ',', $account['bot']['grants'] ) ];
		$this->runScript( 'createBotPassword', $options, [ $account['name'], $account['bot']['password'] ] );
	}

	private function runScript( string $name, array $options, array $arguments ): void {
		$script = $this->createChild( ucfirst( $name ), MW_INSTALL_PATH . "/maintenance/$name.php" );
		$script->loadParamsAndArgs( null, $options, $arguments );
		$script->execute();
	}
}

return CreateAccounts::class;
