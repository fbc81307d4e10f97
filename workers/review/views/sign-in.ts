/** Signing in where no wiki says who somebody is: one press on this machine, nothing elsewhere. */
import { html } from 'ghtml';
import type { Assets } from '../assets.ts';
import type { Viewer } from '../session/people.ts';
import { layout } from './layout.ts';

export interface SignInView {
  assets: Assets;
  viewer: Viewer;
  csrf: string;
  /** Path to go on at. */
  to: string;
}

export function signInPage({ assets, viewer, csrf, to }: SignInView): string {
  const body = html`<div class="empty"><h1>Sign in</h1>!${viewer.signIn === 'local' ? onThisMachine(csrf, to) : READING_ONLY}</div>`;
  return layout({ assets, title: 'Sign in', body, viewer });
}

function onThisMachine(csrf: string, to: string): string {
  return html`
<p>Only this machine reaches this service, and no OAuth client of the wiki is set. Decisions are kept under the name “local”.</p>
<form method="post" action="/sign-in/local">
<input type="hidden" name="_csrf" value="${csrf}"><input type="hidden" name="to" value="${to}">
<button class="button">Sign in on this machine</button>
</form>`;
}

const READING_ONLY = html`
<p>Nobody can sign in here: whoever runs this service has set no OAuth client of the wiki (<code>OAUTH_CLIENT_ID</code>). Findings can be read,
and not decided on.</p>
<p><a class="button" href="/">Back to the queue</a></p>`;
