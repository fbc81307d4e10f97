/** A maintainer's tokens. In: what they are called, and the one that was just made. Out: a page. */
import { html } from 'ghtml';
import type { Assets } from '../assets.ts';
import type { Viewer } from '../session/people.ts';
import type { Token } from '../tokens.ts';
import { layout } from './layout.ts';
import { minute } from './parts.ts';

export interface TokensView {
  assets: Assets;
  viewer: Viewer;
  /** The newest first. */
  tokens: readonly Token[];
  /** Its secret is shown this once. */
  made: { token: Token; secret: string } | null;
}

export function tokensPage({ assets, viewer, tokens, made }: TokensView): string {
  const body = html`
<div class="page-head service-intro"><h1>API tokens</h1>
<p>A program that sends a token may do what you may do. What it can ask for: <a href="/docs">API</a>.</p></div>
!${made === null ? '' : madeNotice(made)}
<form class="service-form" method="post" action="/account/tokens">
<input type="hidden" name="_csrf" value="${viewer.csrf}">
<label>Name of the new token <input name="name" required maxlength="100" autocomplete="off"></label>
<button class="button" type="submit">Make a token</button>
</form>
!${tokens.length === 0 ? html`<p>You have no token.</p>` : tokensTable(tokens, viewer)}`;
  return layout({ assets, title: 'API tokens', body, viewer });
}

function madeNotice({ token, secret }: { token: Token; secret: string }): string {
  return html`<div class="notice notice-success" role="status"><p><strong><bdi>${token.name}</bdi></strong> is made. Copy it now: it is not shown again.</p>
<p><code class="service-secret">${secret}</code></p></div>`;
}

function tokensTable(tokens: readonly Token[], { csrf }: Viewer): string {
  const rows = tokens.map(
    ({
      id,
      name,
      createdAt,
      usedAt,
    }) => html`<tr><td><bdi>${name}</bdi></td><td>!${minute(createdAt)}</td><td>!${usedAt === null ? 'never' : minute(usedAt)}</td>
<td><form method="post" action="/account/tokens/${id}/revoke"><input type="hidden" name="_csrf" value="${csrf}">
<button class="button" type="submit">Revoke<span class="visually-hidden"> ${name}</span></button></form></td></tr>`,
  );
  return html`<div class="service-scroll" role="group" tabindex="0" aria-label="Table"><table class="service-table">
<thead><tr><th scope="col">Name</th><th scope="col">Made</th><th scope="col">Last used</th><th scope="col"><span class="visually-hidden">Revoke</span></th></tr></thead>
<tbody>!${rows}</tbody></table></div>`;
}
