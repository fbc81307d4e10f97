/** What was found for a sentence: a verdict with its meaning and how much answered, and three columns of passages. Out: HTML. */
import { html } from 'ghtml';
import type { Evidence } from '../../../shared/citation.ts';
import type { Found, Row } from '../../../shared/found.ts';
import { FOUND_VERDICTS } from '../../find/words.ts';
import type { Check } from '../checks/check.ts';
import { COLUMNS, type Column, type FeedbackRequest, type Said } from '../checks/feedback.ts';
import { place, pointsOf } from '../marks.ts';
import type { Viewer } from '../session/people.ts';
import { passageOf } from './cited.ts';
import { externalLink, meter, time } from './parts.ts';
import { chance } from './words.ts';

export interface FoundView {
  check: Check;
  found: Found;
  viewer: Viewer;
  said: Said;
}

export function foundPart(view: FoundView): string {
  const { found } = view;
  const { name, meaning } = FOUND_VERDICTS[found.verdict];
  return html`
<section class="found-verdict found-!${found.verdict}" aria-labelledby="verdict">
<h2 id="verdict">${name}</h2>
<p>${meaning[0]?.toUpperCase()}${meaning.slice(1)} !${found.verdict === 'not_enough' ? 'That does not say that it is wrong.' : ''}</p>
<p class="quiet">!${coverage(found)}</p>
</section>
!${COLUMNS.every((column) => found[column].length === 0) ? '' : html`!${feedbackHint(view)}<div class="found-columns">!${COLUMNS.map((column) => columnPart(column, view))}</div>`}`;
}

function coverage({ searched, generation, noWordKnown }: Found): string {
  const { shardsAsked, shardsAnswered } = searched;
  const lost = shardsAnswered < shardsAsked ? ' What is in the other parts is not known.' : '';
  const parts =
    shardsAsked === 0
      ? 'No part of the corpus was asked.'
      : `${shardsAnswered} of ${shardsAsked} index parts of the corpus “${generation}” answered.${lost}`;
  const words = noWordKnown
    ? ' No word of the sentence stands in the corpus: what was found is only near in meaning.'
    : '';
  return html`${parts}${words}`;
}

function feedbackHint({ viewer }: FoundView): string {
  if (viewer.actor !== null) return '';
  return html`<p class="quiet"><a href="/sign-in?to=${encodeURIComponent(viewer.path)}" rel="nofollow">Sign in</a> to say whether a label is right and a page relevant.</p>`;
}

const HEADS: Record<Column, string> = { supports: 'Supports', refutes: 'Refutes', other: 'Other' };

function columnPart(column: Column, view: FoundView): string {
  const rows = view.found[column];
  const none = html`<p class="quiet">No page.</p>`;
  return html`
<section class="found-column found-column-!${column}" aria-labelledby="${column}">
<h2 id="${column}">${HEADS[column]} <span class="count">${rows.length}</span></h2>
!${rows.length === 0 ? none : rows.map((row, at) => rowPart(row, { ...view, id: `${column}-${at + 1}`, label: HEADS[column] }))}
</section>`;
}

interface RowView extends FoundView {
  id: string;
  label: string;
}

function rowPart(row: Row, view: RowView): string {
  const { url, title, domain, quote, start, end, passage, support, mismatches } = row;
  const evidence: Evidence = { quote, url, title, start, end, passage };
  const placed = place(pointsOf({ text: view.found.claim }, mismatches), evidence, mismatches);
  return html`
<article class="panel found-row" id="${view.id}" tabindex="-1">
<h3 class="work-title" dir="auto">!${externalLink(url, title === '' ? domain : title)}</h3>
<p class="facts quiet"><bdi>${domain}</bdi> · !${dateOf(row)}</p>
<p class="facts">!${meter(support)} <strong>${chance(support)}</strong> chance of support by this passage</p>
!${passageOf(evidence, 'Closest passage', placed)}
!${feedbackPart(row, view)}
</article>`;
}

function dateOf({ publishedAt, crawledAt }: Row): string {
  if (publishedAt !== null) return html`published !${time(publishedAt)}`;
  return crawledAt === null ? 'no date' : html`read !${time(crawledAt)}`;
}

function feedbackPart({ url, title, domain }: Row, view: RowView): string {
  if (!view.viewer.actor?.roles.includes('patroller')) return '';
  const of = title === '' ? domain : title;
  return html`<div class="feedback">!${question('label', `Correct label? (${view.label})`)}!${question('relevance', 'Relevant?')}</div>`;

  function question(name: FeedbackRequest['question'], text: string): string {
    const answer = view.said.get(url)?.[name];
    return html`
<form method="post" action="/checks/${view.check.id}/feedback" aria-label="${text} ${of}">
<input type="hidden" name="_csrf" value="${view.viewer.csrf}"><input type="hidden" name="url" value="${url}">
<input type="hidden" name="question" value="${name}"><input type="hidden" name="at" value="${view.id}">
<span>${text}</span> !${button('yes', 'Yes', answer)}!${button('no', 'No', answer)}
</form>`;
  }
}

function button(value: FeedbackRequest['answer'], label: string, answer: string | undefined): string {
  return html`<button class="button" name="answer" value="${value}" aria-pressed="${answer === value ? 'true' : 'false'}">${label}</button>`;
}
