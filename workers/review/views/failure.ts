/** A request that could not be answered, as a page. */
import { html } from 'ghtml';
import type { Assets } from '../assets.ts';
import type { Failure } from '../failure.ts';
import { layout } from './layout.ts';

export function failurePage({ assets, failure }: { assets: Assets; failure: Failure }): string {
  const title = TITLES[failure.code] ?? 'That did not work';
  const body = html`
<div class="empty">
<h1>${title}</h1>
<p>${failure.message}</p>
<p><a class="button" href="/">Back to the queue</a></p>
</div>`;
  return layout({ assets, title, body });
}

const TITLES: Record<string, string> = {
  not_found: 'Not found',
  conflict: 'No longer open',
  forbidden: 'Not taken',
};
