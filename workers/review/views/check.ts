/**
 * One check: how far it is, and what it has brought. What changes while it runs stands in parts marked `data-live`, which the script
 * takes anew from the same page; without scripts the page comes again by itself. Coverage is always said.
 */
import { html } from 'ghtml';
import { FOUND_VERDICTS } from '../../find/words.ts';
import type { Assets } from '../assets.ts';
import type { Check, CheckFailure } from '../checks/check.ts';
import type { Said } from '../checks/feedback.ts';
import { isFinal } from '../checks/standing.ts';
import type { CheckedFinding } from '../checks/store.ts';
import type { Viewer } from '../session/people.ts';
import { addressOf } from './address.ts';
import { foundPart } from './found.ts';
import { layout } from './layout.ts';
import { coverageLine, meter, sectionOf, verdictBadge } from './parts.ts';
import { chance } from './words.ts';

export interface CheckView {
  assets: Assets;
  viewer: Viewer;
  check: Check;
  /** One more than `shown`, where there are more. */
  findings: readonly CheckedFinding[];
  shown: number;
  said: Said;
  mayCancel: boolean;
}

export function checkPage(view: CheckView): string {
  const { assets, viewer, check } = view;
  const isOver = isFinal(check.state);
  const script = html`<script type="module" src="${assets.modules['check.js']?.path}"></script>`;
  // a body may not carry it in valid HTML, and yet every browser heeds it there
  const again = html`<noscript><meta http-equiv="refresh" content="5"></noscript>`;
  const body = html`
!${isOver ? '' : again}
<div class="check" !${isOver ? '' : html`data-check="${check.id}"`}>
<div class="page-head"><h1>!${heading(check)}</h1><a href="/check">Check another</a></div>
!${check.sentence === null ? '' : html`<section class="claim" aria-labelledby="claim"><h2 id="claim">Sentence</h2><p class="claim-text" dir="auto"><strong>${check.sentence}</strong></p></section>`}
!${check.found !== null && isOver ? '' : html`<section class="panel check-progress" aria-labelledby="progress" data-live="progress"><h2 id="progress">Progress</h2>!${progressPart(view)}</section>`}
!${check.found === null ? '' : foundPart({ check, found: check.found, viewer, said: view.said })}
!${check.kind === 'sentence' ? '' : html`<section aria-labelledby="findings" data-live="findings"><h2 id="findings" class="check-findings">Findings</h2>!${findingsPart(view)}</section>`}
</div>
!${isOver ? '' : script}`;
  return layout({ assets, viewer, title: titleOf(check), body });
}

/** The first that a screen reader says: with the outcome, once there is one. */
function titleOf({ page, found }: Check): string {
  if (page !== null) return `Check of ${page.title}`;
  return found === null ? 'Check of a sentence' : `${FOUND_VERDICTS[found.verdict].name}: check of a sentence`;
}

function heading({ page, kind }: Check): string {
  if (page === null) return 'Check of a sentence';
  const what = kind === 'page' ? 'Check of the article' : 'Check of claims in';
  return html`${what} <bdi>${page.title}</bdi>`;
}

function progressPart(view: CheckView): string {
  const { check } = view;
  return html`
<p role="status">!${stateLine(check)}</p>
!${check.claims === null ? '' : coverageLine({ checked: check.claims.checked, claims: check.claims.total }, 'claims checked')}
!${stageList(check)}
!${cancelForm(view)}`;
}

function stateLine(check: Check): string {
  if (check.state === 'failed') return html`<strong>It failed:</strong> ${FAILURES[check.reason ?? 'failed']}`;
  if (check.idleSince !== null) {
    return html`<strong>Waiting for workers</strong> since ${check.idleSince.slice(11, 16)} UTC. Nothing is lost: it goes on when they are back.`;
  }
  const eta = check.etaSeconds === null ? '' : ` About ${duration(check.etaSeconds)} left.`;
  return html`<strong>${STATES[check.state]}</strong>${eta}`;
}

const STATES = {
  waiting: 'Waiting for its turn.',
  running: 'Being checked.',
  done: 'Done.',
  failed: 'It failed.',
  cancelled: 'Cancelled. What was found until then stays.',
} as const;

const FAILURES: Record<CheckFailure, string> = {
  no_page: 'the wiki has no page of this title.',
  unreadable: 'the wiki gives no text of this page that can be read.',
  failed: 'it could not be worked on. Try again; if that fails too, tell a maintainer.',
};

/** Whole minutes from two on. */
function duration(seconds: number): string {
  return seconds < 120 ? `${Math.max(1, seconds)} s` : `${Math.round(seconds / 60)} minutes`;
}

function stageList({ stages, state }: Check): string {
  if (stages.length === 0 || state === 'done') return '';
  const items = stages.map(({ stage, done, failed, total }) => {
    const lost = failed === 0 ? '' : `, ${failed} failed`;
    return html`<li><span>${STAGES[stage] ?? stage}</span> <progress value="${done}" max="${total}" aria-label="${STAGES[stage] ?? stage}"></progress> <span class="count">${done} of ${total}${lost}</span></li>`;
  });
  return html`<ul class="check-stages">!${items}</ul>`;
}

const STAGES: Record<string, string> = {
  articles: 'Article read',
  sources: 'Sources read',
  corpus: 'Sources kept for searches',
  verification: 'Claims judged',
  'retrieval-sparse': 'Searched by words',
  'retrieval-dense': 'Searched by meaning',
  suggestion: 'Better sources looked for',
  find: 'Passages judged',
  review: 'Results kept',
};

function cancelForm({ check, viewer, mayCancel }: CheckView): string {
  if (!mayCancel || isFinal(check.state)) return '';
  return html`<form method="post" action="/checks/${check.id}/cancel"><input type="hidden" name="_csrf" value="${viewer.csrf}"><button class="button" type="submit">Cancel</button></form>`;
}

function findingsPart({ check, findings, shown }: CheckView): string {
  if (findings.length === 0) return html`<p class="quiet">${NONE[check.state]}</p>`;
  const title = check.page?.title ?? '';
  const queue = addressOf(null, { wiki: check.wiki, page: title, state: 'all', verdict: 'all' });
  return html`
<ol class="queue">!${findings.slice(0, shown).map(card)}</ol>
<p class="more"><a href="${queue}">!${findings.length > shown ? html`All findings of <bdi>${title}</bdi>` : html`<bdi>${title}</bdi> in the queue`}</a></p>`;
}

const NONE = {
  waiting: 'None yet.',
  running: 'None yet: they come as claims are judged.',
  done: 'No claim was judged.',
  failed: 'None.',
  cancelled: 'None until then.',
} as const;

function card({ id, finding }: CheckedFinding): string {
  const score =
    finding.score === null
      ? html`<span class="score-number quiet">–</span>`
      : html`<span class="score-number">${chance(finding.score)}</span>!${meter(finding.score)}`;
  return html`
<li class="card">
<div class="card-score">!${score}</div>
<div class="card-text"><a class="card-claim" href="/findings/${id}"><bdi>${finding.claim.text}</bdi></a>
<p class="card-meta">!${verdictBadge(finding.verdict)} <span class="quiet"><bdi>${sectionOf(finding)}</bdi></span></p></div>
</li>`;
}
