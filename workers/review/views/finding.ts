/** One finding to decide on. In: its row, its neighbours in the queue, who looks at it. Out: a page that works without scripts. */
import { html } from 'ghtml';
import type { AboutPage } from '../about-page.ts';
import type { Assets } from '../assets.ts';
import type { Confirmed } from '../confirmed.ts';
import type { Filter } from '../filter.ts';
import type { PastDecision } from '../history.ts';
import type { Holder } from '../leases.ts';
import { markFinding } from '../marks.ts';
import type { Coverage } from '../page.ts';
import type { Neighbours, Row } from '../queue.ts';
import type { Viewer } from '../session/people.ts';
import { addressOf, articleAddress, type Wikis } from './address.ts';
import { citedPanel } from './cited.ts';
import { claimCard } from './claim.ts';
import { deciding } from './deciding.ts';
import { giveForm } from './given.ts';
import { helpDialog } from './help.ts';
import { pastDecisions, reopenedNotice } from './history.ts';
import { layout } from './layout.ts';
import { coverageLine, doneNotice, sectionOf } from './parts.ts';
import { suggestionPanel } from './suggested.ts';

export interface FindingView extends Wikis {
  assets: Assets;
  viewer: Viewer;
  filter: Filter;
  row: Row;
  /** Texts of sources that were not read. */
  takesTexts: boolean;
  neighbours: Neighbours;
  /** Addresses of the findings after this one, for scripts to fetch ahead. */
  ahead: readonly string[];
  /** Who looks at it; null: nobody. */
  holder: Holder | null;
  /** Of the article. */
  coverage: Coverage | null;
  about: AboutPage;
  confirmed: Confirmed | null;
  /** What people decided on it so far, the oldest first. */
  history: readonly PastDecision[];
  /** Whether the last decision that stands is the viewer's. */
  isOwn: boolean;
  done: Row | null;
}

export function findingPage(view: FindingView): string {
  const { row, filter } = view;
  const { finding } = row;
  const marks = markFinding(finding);
  const article = articleAddress(finding, view);
  const body = html`
<div id="screen" data-screen="${addressOf(row.id, filter)}" data-ahead="${view.ahead.join(' ')}">
<div id="notices">!${doneNotice(view.done, view)}</div>
<div class="page-head">
<div><h1><bdi class="article-title">${finding.page.title}</bdi> <bdi class="quiet">${sectionOf(finding)}</bdi></h1>
<div class="about">!${aboutLine(view.about)} !${coverageLine(view.coverage, 'claims of this article checked')}</div></div>
!${navigation(view)}
</div>
!${claimCard({ row, article, marks: marks.claim, confirmed: view.confirmed })}
<div class="columns">
!${citedPanel(finding, marks.cited, view)}
!${suggestionPanel(finding, marks.suggested, view)}
</div>
!${view.takesTexts ? giveForm(row, view.viewer) : ''}
!${reopenedNotice(row)}
!${deciding(view)}
!${pastDecisions(view.history)}
</div>
!${helpDialog()}`;
  return layout({ assets: view.assets, viewer: view.viewer, title: finding.page.title, body });
}

function aboutLine({ views, projects }: AboutPage): string {
  const parts: string[] = [];
  if (views !== null) parts.push(html`${views.toLocaleString('en')} views a day`);
  if (projects.length > 0) parts.push(html`WikiProject <bdi>${projects.join(', ')}</bdi>`);
  return parts.length === 0 ? '' : html`<span class="quiet">!${parts.join(' · ')}</span>`;
}

function navigation({ filter, neighbours }: FindingView): string {
  return html`
<nav class="steps" aria-label="Findings">
<a class="button" data-key="f" href="${addressOf(null, filter)}">List <kbd aria-hidden="true">f</kbd></a>
<button class="button" type="button" data-key="?" data-opens="help" hidden>Keys <kbd aria-hidden="true">?</kbd></button>
!${step('k', 'Previous', neighbours.previous, filter)}
!${step('j', 'Next', neighbours.next, filter)}
</nav>`;
}

function step(key: string, label: string, id: number | null, filter: Filter): string {
  if (id === null) {
    return html`<span class="button" aria-disabled="true">${label} <kbd aria-hidden="true">${key}</kbd></span>`;
  }
  return html`<a class="button" data-key="${key}" href="${addressOf(id, filter)}">${label} <kbd aria-hidden="true">${key}</kbd></a>`;
}
