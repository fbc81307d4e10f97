/** One finding to decide on. In: its row and its neighbours in the queue. Out: a page that works without scripts. */
import { html } from 'ghtml';
import type { Decision, Verdict } from '../../../shared/citation.ts';
import type { Assets } from '../assets.ts';
import { whyClosed } from '../why-closed.ts';
import type { PastDecision } from '../history.ts';
import type { Coverage } from '../page.ts';
import type { Filter, Neighbours, Row } from '../queue.ts';
import { addressOf, articleAddress, decisionAddress, type Wikis } from './address.ts';
import { citedPanel } from './cited.ts';
import { claimCard } from './claim.ts';
import { giveForm } from './given.ts';
import { pastDecisions, reopenedNotice } from './history.ts';
import { layout } from './layout.ts';
import { coverageLine, doneNotice, sectionOf } from './parts.ts';
import { suggestionPanel } from './suggested.ts';
import { MEANINGS } from './words.ts';

export interface FindingView extends Wikis {
  assets: Assets;
  filter: Filter;
  row: Row;
  /** Texts of sources that were not read. */
  takesTexts: boolean;
  neighbours: Neighbours;
  /** Of the article. */
  coverage: Coverage | null;
  /** What people decided on it so far, the oldest first. */
  history: readonly PastDecision[];
  done: Row | null;
}

export function findingPage(view: FindingView): string {
  const { finding } = view.row;
  const body = html`
!${navigation(view)}
!${doneNotice(view.done)}
<div class="page-head">
<h1><span class="article-title">${finding.page.title}</span> <span class="quiet">${sectionOf(finding)}</span></h1>
!${coverageLine(view.coverage, 'claims of this article checked')}
</div>
!${claimCard(view.row, articleAddress(finding, view))}
<div class="columns">
!${citedPanel(finding, view)}
!${suggestionPanel(finding, view)}
</div>
!${view.takesTexts ? giveForm(view.row) : ''}
!${reopenedNotice(view.row)}
!${view.row.state === 'open' ? decisionForm(view) : closedNotice(view.row)}
!${pastDecisions(view.history)}`;
  return layout({ assets: view.assets, title: finding.page.title, body });
}

function navigation({ filter, neighbours }: FindingView): string {
  return html`
<nav class="steps" aria-label="Findings">
<a class="button" data-key="u" href="${addressOf(null, filter)}">Queue <kbd>u</kbd></a>
<span class="steps-gap"></span>
!${step('k', 'Previous', neighbours.previous, filter)}
!${step('j', 'Next', neighbours.next, filter)}
</nav>`;
}

function step(key: string, label: string, id: number | null, filter: Filter): string {
  if (id === null) return html`<span class="button" aria-disabled="true">${label} <kbd>${key}</kbd></span>`;
  return html`<a class="button" data-key="${key}" href="${addressOf(id, filter)}">${label} <kbd>${key}</kbd></a>`;
}

function decisionForm({ row, filter }: FindingView): string {
  const { verdict } = row.finding;
  const { accept, reject } = MEANINGS[verdict];
  const [accepting, rejecting] = TONES[verdict] ?? (['fails', 'fine'] as const);
  return html`
<form class="decide" method="post" action="${decisionAddress(row.id, filter)}" data-once>
<div class="decide-buttons">
!${button({ decision: 'accept', key: 'a', label: 'Accept', meaning: accept, tone: accepting })}
!${button({ decision: 'reject', key: 'r', label: 'Reject', meaning: reject, tone: rejecting })}
!${button({ decision: 'cant_tell', key: 'c', label: 'Can’t tell', meaning: 'Ask again later', tone: 'open' })}
!${button({ decision: 'skip', key: 's', label: 'Skip', meaning: 'Go to the next', tone: 'open' })}
</div>
<details class="note"><summary>Add a note</summary>
<label for="comment">Note, kept with your decision</label>
<textarea id="comment" name="comment" rows="2" maxlength="2000"></textarea></details>
</form>`;
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
  return html`<button class="button decide-${tone}" type="submit" name="decision" value="${decision}" data-key="${key}"><span class="decide-label">${label} <kbd>${key}</kbd></span><span class="decide-meaning">${meaning}</span></button>`;
}

function closedNotice(row: Row): string {
  return html`<p class="notice" role="status"><strong>Closed.</strong> ${whyClosed(row)}</p>`;
}
