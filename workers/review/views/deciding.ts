/**
 * Where a person decides. In: a finding, who looks at it now, who asks. Out: a form that works without scripts; or who has the finding,
 * that one may sign in, or how it ended.
 */
import { html } from 'ghtml';
import { type Decision, DecisionReason, type Verdict } from '../../../shared/citation.ts';
import type { Filter } from '../filter.ts';
import { judgedKey } from '../judged.ts';
import type { Holder } from '../leases.ts';
import type { Row } from '../queue.ts';
import { reasonsFor } from '../reasons.ts';
import type { Viewer } from '../session/people.ts';
import { whatWasDecided, whyClosed } from '../why-closed.ts';
import { decisionAddress, withQuery } from './address.ts';
import { undoForm } from './undo.ts';
import { DECISION_REASONS, MEANINGS } from './words.ts';

export interface DecidingView {
  row: Row;
  filter: Filter;
  viewer: Viewer;
  /** Who looks at it; null: nobody, as on a page that was fetched ahead. */
  holder: Holder | null;
  /** Whether the last decision is the viewer's own. */
  isOwn: boolean;
}

export function deciding(view: DecidingView): string {
  return html`<section id="deciding" aria-label="Decision">!${content(view)}</section>`;
}

function content(view: DecidingView): string {
  const { row, viewer, holder } = view;
  if (row.state !== 'open') return settled(view);
  if (viewer.actor === null) return signIn(viewer);
  if (!viewer.actor.roles.includes('patroller')) {
    return html`<p class="notice" role="status">This account is blocked on the wiki: it may read, but not decide.</p>`;
  }
  return holder !== null && holder.userId !== viewer.actor.id ? taken(holder, view) : form(view);
}

function settled({ row, filter, viewer, isOwn }: DecidingView): string {
  const why = row.state === 'accepted' ? whatWasDecided(row) : whyClosed(row);
  return html`<div class="notice settled" role="status"><p><strong>${row.state === 'accepted' ? 'Accepted.' : 'Closed.'}</strong> ${why}</p>!${isOwn ? undoForm(row.id, filter, viewer) : ''}</div>`;
}

function signIn({ path, signIn: way }: Viewer): string {
  if (way === 'none') return html`<p class="notice" role="status">Nobody can sign in here: it is for reading.</p>`;
  return html`<p class="notice" role="status">Deciding needs an account of the wiki. <a class="button" href="/sign-in?to=${encodeURIComponent(path)}" rel="nofollow">Sign in</a></p>`;
}

function taken({ name, until }: Holder, { filter, viewer }: DecidingView): string {
  return html`
<div class="notice taken" role="status">
<p><strong><bdi>${name}</bdi> looks at this until <time datetime="${until}">${until.slice(11, 16)} UTC</time>.</strong> You can read it; deciding is theirs meanwhile.</p>
<form method="post" action="${withQuery('/next', filter)}" data-once>!${csrf(viewer)}<button class="button" type="submit" data-key="s">Next free one <kbd aria-hidden="true">s</kbd></button></form>
</div>`;
}

export function csrf({ csrf: token }: Viewer): string {
  return html`<input type="hidden" name="_csrf" value="${token}">`;
}

function form({ row, filter, viewer, holder }: DecidingView): string {
  const { verdict } = row.finding;
  const { accept, reject } = MEANINGS[verdict];
  const [accepting, rejecting] = TONES[verdict] ?? (['fails', 'fine'] as const);
  return html`
<form class="decide" method="post" action="${decisionAddress(row.id, filter)}" data-decide="${row.id}" data-lasts="${holder === null ? null : Date.parse(holder.until) - Date.now()}">
!${csrf(viewer)}<input type="hidden" name="judged" value="${judgedKey(row.finding)}">
<div class="why">
!${reasons(verdict)}
<details class="note"><summary data-key="n">Add a note <kbd aria-hidden="true">n</kbd></summary>
<label for="comment">Note, kept with your decision</label>
<textarea id="comment" name="comment" rows="2" maxlength="2000" dir="auto"></textarea></details>
</div>
<div class="decide-buttons">
!${button({ decision: 'accept', key: 'a', label: 'Accept', meaning: accept, tone: accepting })}
!${button({ decision: 'reject', key: 'r', label: 'Reject', meaning: reject, tone: rejecting })}
!${button({ decision: 'cant_tell', key: 'c', label: 'Can’t tell', meaning: 'Ask again later', tone: 'open' })}
!${button({ decision: 'skip', key: 's', label: 'Skip', meaning: 'Go to the next', tone: 'open' })}
</div>
<p class="decide-status" role="status" data-status></p>
</form>`;
}

const DECISIONS: readonly Decision[] = ['accept', 'reject', 'cant_tell', 'skip'];

/** One number for a reason wherever it is offered. '' where no reason fits any decision. */
function reasons(verdict: Verdict): string {
  const offered = DecisionReason.options.map((reason, at) => {
    const fits = DECISIONS.filter((decision) => reasonsFor(decision, verdict).includes(reason));
    return fits.length === 0 ? '' : choice(reason, String(at + 1), fits);
  });
  if (offered.every((one) => one === '')) return '';
  return html`
<fieldset class="reasons"><legend>Reason</legend>
<label class="reason reason-none"><input type="radio" name="reason" value="" checked data-key="0"> None <kbd aria-hidden="true">0</kbd></label>
!${offered}
</fieldset>`;
}

function choice(reason: DecisionReason, key: string, fits: readonly Decision[]): string {
  return html`<label class="reason"><input type="radio" name="reason" value="${reason}" data-key="${key}" data-fits="${fits.join(' ')}" data-label="${DECISION_REASONS[reason]}"> ${DECISION_REASONS[reason]} <kbd aria-hidden="true">${key}</kbd></label>`;
}

/** What accepting and rejecting say of the citation, where that is not that it fails and that it is fine. */
const TONES: Partial<Record<Verdict, readonly [Choice['tone'], Choice['tone']]>> = {
  supported: ['fine', 'fails'],
  uncheckable: ['open', 'open'],
  unsupported_language: ['open', 'open'],
};

interface Choice {
  decision: Decision;
  key: string;
  label: string;
  meaning: string;
  /** What it says of the citation. */
  tone: 'fails' | 'fine' | 'open';
}

function button({ decision, key, label, meaning, tone }: Choice): string {
  return html`<button class="button decide-${tone}" type="submit" name="decision" value="${decision}" data-key="${key}" data-label="${label}"><span class="decide-label">${label} <kbd aria-hidden="true">${key}</kbd></span><span class="decide-meaning">${meaning}</span></button>`;
}
