/** The OAuth clients of the sample wiki and of the wikis of tests (oauth.php). Known to everybody: such a wiki listens on loopback only. */

export interface OAuthClient {
  id: string;
  name: string;
  /** Null: a public client. */
  secret: string | null;
  /** Without port: any will do. */
  redirect: string;
}

export const OAUTH_CLIENTS = {
  review: client('sidelight-review', 'reviewonloopback'),
  public: client('sidelight-public', null),
} as const;

function client(id: string, secret: string | null): OAuthClient {
  return { id, name: 'Sidelight’s review page', secret, redirect: 'http://127.0.0.1/oauth/callback' };
}
