/** Who is signed in, what that lets them do, and where else they are signed in. */
import { html } from 'ghtml';
import type { Assets } from '../assets.ts';
import type { Actor, Role } from '../session/actor.ts';
import type { Viewer } from '../session/people.ts';
import type { OpenSession } from '../session/sessions.ts';
import { layout } from './layout.ts';

export interface AccountView {
  assets: Assets;
  viewer: Viewer & { actor: Actor };
  /** Where the account is; null: it is of this machine only. */
  wiki: string | null;
  sessions: readonly OpenSession[];
}

export function accountPage(view: AccountView): string {
  const { assets, viewer, wiki } = view;
  const { name, roles } = viewer.actor;
  const body = html`
<div class="page-head"><h1><bdi>${name}</bdi> <span class="quiet">!${wiki === null ? 'this machine' : html`${wiki}`}</span></h1></div>
<section class="panel account-panel">
<h2>What you may do</h2>
<ul>!${rights(roles)
    .map((right) => html`<li>${right}</li>`)
    .join('')}</ul>
!${roles.includes('maintainer') ? MAINTAINERS : ''}
</section>
<section class="panel account-panel">
<h2>Where you are signed in</h2>
!${sessionsTable(view.sessions)}
<div class="account-actions">
!${button('/sign-out', 'Sign out here', viewer.csrf)}
!${button('/sign-out/everywhere', 'Sign out everywhere', viewer.csrf)}
</div>
</section>`;
  return layout({ assets, title: 'Account', body, viewer });
}

function rights(roles: readonly Role[]): string[] {
  if (roles.length === 0)
    return ['Read. This account may not decide: it is blocked on the wiki, or not in a group that decides.'];
  const decides = 'Decide on findings, and compare sources.';
  if (!roles.includes('maintainer')) return [decides];
  return [decides, 'As a maintainer: check again, cancel, keep worklists and opt-outs, and make API tokens.'];
}

const MAINTAINERS = html`<p><a href="/maintain">Maintain</a> · <a href="/account/tokens">API tokens</a></p>`;

function sessionsTable(sessions: readonly OpenSession[]): string {
  const rows = sessions.map(
    ({ startedAt, seenAt, isThisOne }) => html`<tr>
<td>!${time(startedAt)}</td><td>!${isThisOne ? 'now, in this browser' : time(seenAt)}</td>
</tr>`,
  );
  return html`<table class="account-sessions">
<thead><tr><th scope="col">Signed in</th><th scope="col">Last used</th></tr></thead>
<tbody>!${rows.join('')}</tbody>
</table>`;
}

function time(iso: string): string {
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

function button(action: string, name: string, csrf: string): string {
  return html`<form method="post" action="${action}">
<input type="hidden" name="_csrf" value="${csrf}"><button class="button">${name}</button>
</form>`;
}
