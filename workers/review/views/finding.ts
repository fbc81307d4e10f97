/** One finding to decide on. In: its row and its neighbours in the queue. Out: a page that works without scripts. */
import { html } from 'ghtml';
import type { Decision, Finding } from '../../../shared/citation.ts';
import type { Assets } from '../assets.ts';
import { whyClosed } from '../decide.ts';
import type { Coverage } from '../page.ts';
import type { Filter, Neighbours, Row } from '../queue.ts';
import { addressOf, articleAddress, decisionAddress } from './address.ts';
import { citedPanel } from './cited.ts';
import { layout } from './layout.ts';
import { coverageLine, doneNotice, meter, sectionOf, time, verdictBadge } from './parts.ts';
import { suggestionPanel } from './suggested.ts';
import { chance, likelihood, MEANINGS } from './words.ts';

export interface FindingView {
  assets: Assets;
  wikiOrigins: readonly string[];
  indexPath: string;
  filter: Filter;
  row: Row;
  neighbours: Neighbours;
  /** Of the article. */
  coverage: Coverage | null;
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
!${claimCard(view)}
<div class="columns">
!${citedPanel(finding)}
!${suggestionPanel(finding)}
</div>
!${view.row.state === 'open' ? decisionForm(view) : closedNotice(view.row)}`;
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

function claimCard(view: FindingView): string {
  const { finding } = view.row;
  const { text, markerOffset, context } = finding.claim;
  return html`
<section class="claim" aria-labelledby="claim">
<div class="claim-head"><h2 id="claim">Claim</h2>!${verdictBadge(finding.verdict)} !${triggerBadge(finding)}</div>
<p class="claim-text"><span class="claim-context">${context}</span> <strong>${text.slice(0, markerOffset)}<sup class="marker">!${marker(finding)}</sup>${text.slice(markerOffset)}</strong></p>
!${scoreNote(finding)}
<p class="facts"><a class="external" href="${articleAddress(finding, view)}" target="_blank" rel="noreferrer noopener">Read it in the article</a>
<span class="quiet">revision ${finding.revision}, judged !${time(view.row.createdAt)} by ${finding.model}</span></p>
</section>`;
}

function marker({ citations }: Finding): string {
  return citations.length === 0 ? '[citation needed]' : '[citation]';
}

function triggerBadge({ claim }: Finding): string {
  if (claim.trigger === null) return '';
  return html`<span class="badge">An editor marked it {{${claim.trigger.replaceAll('_', ' ')}}}</span>`;
}

function scoreNote({ score, verdict }: Finding): string {
  if (score === null) {
    const why = verdict === 'unsourced' ? 'no source is cited' : 'no source could be read';
    return html`<p class="score quiet">No score: ${why}, so nothing was judged.</p>`;
  }
  return html`<p class="score">!${meter(score)} <strong>${chance(score)}</strong> chance that what is cited supports this claim: ${likelihood(score)}.</p>`;
}

function decisionForm({ row, filter }: FindingView): string {
  const { verdict } = row.finding;
  const { accept, reject } = MEANINGS[verdict];
  const [accepting, rejecting] = verdict === 'supported' ? (['fine', 'fails'] as const) : (['fails', 'fine'] as const);
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
