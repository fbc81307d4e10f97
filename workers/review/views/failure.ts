/** A request that could not be answered, as a page. */
import { html } from 'ghtml';
import type { Assets } from '../assets.ts';
import type { Failure } from '../failure.ts';
import type { Viewer } from '../session/people.ts';
import { layout } from './layout.ts';

export interface FailureView {
  assets: Assets;
  viewer: Viewer;
  failure: Failure;
  /** Path of the finding that was asked about; null: none, or it is not there. */
  finding: string | null;
}

export function failurePage({ assets, viewer, failure, finding }: FailureView): string {
  const title = TITLES[failure.code] ?? 'That did not work';
  const body = html`
<div class="empty">
<h1>${title}</h1>
<p data-failure="${failure.code}">${failure.message}</p>
<p>!${finding === null ? '' : html`<a class="button" href="${finding}">Back to the finding</a> `}<a class="button" href="/">Back to the queue</a></p>
</div>`;
  return layout({ assets, viewer, title, body });
}

const TITLES: Record<string, string> = {
  not_found: 'Not found',
  conflict: 'No longer open',
  forbidden: 'Not taken',
  forged: 'Not taken',
  not_signed_in: 'Sign in first',
  declined: 'Not signed in',
  blocked: 'Not signed in',
  stale_sign_in: 'Not signed in',
  wiki_failed: 'Not signed in',
  wiki_away: 'Not signed in',
};
