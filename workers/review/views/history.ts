/** What people decided on a finding before, and why it is open again. In: past decisions. Out: HTML; '' where there is nothing to say. */
import { html } from 'ghtml';
import type { PastDecision } from '../history.ts';
import type { Row } from '../queue.ts';
import { minute } from './parts.ts';
import { DECISION_REASONS, DECISIONS, VERDICTS } from './words.ts';

export function reopenedNotice({ reopenedBecause }: Row): string {
  if (reopenedBecause === null) return '';
  return html`<p class="notice" role="status"><strong>Open again.</strong> A person decided on this before. The text of a source has changed since, and says something else of the claim.</p>`;
}

export function pastDecisions(history: readonly PastDecision[]): string {
  if (history.length === 0) return '';
  return html`
<section class="panel" aria-labelledby="history">
<h2 id="history">Decided so far</h2>
<ol class="history">!${history.map(entry)}</ol>
</section>`;
}

function entry({ decision, by, reason, at, verdict, revision, comment, undoneAt }: PastDecision): string {
  const who = by === null ? '' : html` by <bdi>${by}</bdi>`;
  const why = reason === null ? '' : html`, ${DECISION_REASONS[reason].toLowerCase()}`;
  const what =
    verdict === null
      ? ''
      : html` <span class="quiet">when it was “${VERDICTS[verdict]}” at revision ${revision}</span>`;
  const undone = undoneAt === null ? '' : html` <strong>Undone !${minute(undoneAt)}.</strong>`;
  const note = comment === null ? '' : html`<br><span class="history-note" dir="auto">${comment}</span>`;
  return html`<li>!${minute(at)}: ${DECISIONS[decision]}!${who}!${why}!${what}!${undone}!${note}</li>`;
}
