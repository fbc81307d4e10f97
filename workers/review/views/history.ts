/** What people decided on a finding before, and why it is open again. In: past decisions. Out: HTML; '' where there is nothing to say. */
import { html } from 'ghtml';
import type { PastDecision } from '../history.ts';
import type { Row } from '../queue.ts';
import { time } from './parts.ts';
import { DECISIONS, VERDICTS } from './words.ts';

export function reopenedNotice({ reopenedBecause }: Row): string {
  if (reopenedBecause === null) return '';
  return html`<p class="notice" role="status"><strong>Open again.</strong> A person decided on this before. The text of a source has changed since, and says something else of the claim.</p>`;
}

export function pastDecisions(history: readonly PastDecision[]): string {
  if (history.length === 0) return '';
  return html`
<section class="panel" aria-labelledby="history">
<h2 id="history">Decided so far</h2>
<ol>!${history.map(entry)}</ol>
</section>`;
}

function entry({ decision, at, verdict, revision, comment }: PastDecision): string {
  const what =
    verdict === null
      ? ''
      : html` <span class="quiet">when it was “${VERDICTS[verdict]}” at revision ${revision}</span>`;
  const note = comment === null ? '' : html`<br>${comment}`;
  return html`<li>!${time(at)}: ${DECISIONS[decision]}!${what}!${note}</li>`;
}
