/** Two passages for one claim, unnamed, to be judged; what the comparison is; and what came of it. Pages that work without scripts. */
import { html } from 'ghtml';
import type { Evidence } from '../../../shared/citation.ts';
import type { Agreement } from '../../evaluation/agreement.ts';
import type { Assets } from '../assets.ts';
import { type BlindItem, JUDGES } from '../blind/items.ts';
import type { BlindProgress } from '../blind/results.ts';
import type { Viewer } from '../session/people.ts';
import { layout } from './layout.ts';
import { sectionOf } from './parts.ts';

interface Page {
  assets: Assets;
  viewer: Viewer;
}

/** `none`: this person has judged all that there is. */
export function blindPage({
  assets,
  viewer,
  progress,
  none,
}: Page & { progress: BlindProgress; none: boolean }): string {
  const { begun, complete, own } = progress;
  const body = html`
<div class="page-head"><h1>Compare sources blindly</h1></div>
<section class="panel">
<p>You see a claim and two passages: one from the page that is cited, one from the page that is suggested instead. Which is which is not said, and their order is random. Each pair is judged by ${JUDGES} people.</p>
<p class="coverage"><progress value="${complete}" max="${Math.max(begun, 1)}" aria-label="pairs with all judgements"></progress> <strong>${complete} of ${begun}</strong> begun pairs have all their judgements!${viewer.actor === null ? '' : html`; you judged <strong>${own}</strong>`}.</p>
!${none ? html`<p class="notice" role="status">You have judged every pair that there is now. More come as better sources are found.</p>` : ''}
!${viewer.actor === null ? html`<p><a class="button" href="/sign-in?to=%2Fcompare">Sign in to judge</a></p>` : startForm(viewer)}
<p><a href="/compare/results">Results so far</a></p>
</section>`;
  return layout({ assets, viewer, title: 'Compare', body });
}

function startForm({ csrf }: Viewer): string {
  return html`<form method="post" action="/compare/next" data-once><input type="hidden" name="_csrf" value="${csrf}"><button class="button button-primary">Judge a pair</button></form>`;
}

export function blindItemPage({ assets, viewer, item }: Page & { item: BlindItem }): string {
  const { finding, first, passages } = item;
  const [one, other] = first === 'cited' ? [passages.cited, passages.suggested] : [passages.suggested, passages.cited];
  const body = html`
<div class="page-head"><h1><bdi>${finding.page.title}</bdi></h1> <span class="quiet">${sectionOf(finding)}</span></div>
<section class="claim" aria-labelledby="claim"><h2 id="claim">Claim</h2>
<p class="claim-text" dir="auto"><span class="claim-context">${finding.claim.context}</span> <strong>${finding.claim.text}</strong></p></section>
<form method="post" action="/compare/${item.id}" data-once>
<input type="hidden" name="_csrf" value="${viewer.csrf}">
<div class="columns">!${passage('one', 'Passage 1', one)}!${passage('other', 'Passage 2', other)}</div>
<fieldset class="panel choices"><legend>Which one would you cite?</legend>
!${radios('better', [
    ['one', 'Passage 1'],
    ['other', 'Passage 2'],
    ['neither', 'Neither, or no difference'],
  ])}</fieldset>
<p class="actions"><button class="button button-primary">Save and go on</button>
<button class="button" formaction="/compare/${item.id}/skip" formnovalidate>Another pair</button> <a href="/compare">Stop</a></p>
</form>`;
  return layout({ assets, viewer, title: 'Compare', body });
}

function passage(name: 'one' | 'other', heading: string, { passage: text, quote }: Evidence): string {
  const at = text.indexOf(quote);
  const marked =
    at < 0
      ? html`<mark>${quote}</mark>`
      : html`${text.slice(0, at)}<mark>${quote}</mark>${text.slice(at + quote.length)}`;
  return html`
<section class="panel" aria-labelledby="${name}"><h2 id="${name}">${heading}</h2>
<figure class="passage"><blockquote dir="auto">!${marked}</blockquote></figure>
<fieldset class="choices"><legend>Is it evidence for the whole claim?</legend>
!${radios(name, [
    ['enough', 'Enough'],
    ['partial', 'For a part of it'],
    ['none', 'None'],
  ])}</fieldset></section>`;
}

function radios(name: string, options: readonly (readonly [string, string])[]): string {
  const radio = ([value, label]: readonly [string, string]) =>
    html`<label class="choice"><input type="radio" name="${name}" value="${value}" required> ${label}</label>`;
  return html`!${options.map(radio)}`;
}

export function blindResultsPage({ assets, viewer, agreement }: Page & { agreement: Agreement }): string {
  const { items, judgements, judges } = agreement;
  const body = html`
<div class="page-head"><h1>Cited against suggested: results</h1></div>
<section class="panel">
<p><strong>${judgements}</strong> judgement${judgements === 1 ? '' : 's'} of <strong>${items}</strong> pair${items === 1 ? '' : 's'} by <strong>${judges}</strong> ${judges === 1 ? 'person' : 'people'}.</p>
!${judgements === 0 ? html`<p>Nothing was judged yet.</p>` : html`!${questions(agreement)}!${signTest(agreement)}`}
<p class="quiet">κ is Fleiss’: 1 is full agreement, 0 what chance would give. A majority is what more people say of a pair than anything else.</p>
<p><a class="button" href="/compare/results.csv" download="sidelight-compare.csv">CSV</a> <a href="/compare">Back to the comparison</a></p>
</section>`;
  return layout({ assets, viewer, title: 'Comparison results', body });
}

const QUESTIONS = {
  cited: 'Is the cited passage evidence?',
  suggested: 'Is the suggested passage evidence?',
  preferred: 'Which one would be cited?',
} as const;

function questions({ kappa, majority }: Agreement): string {
  const row = (question: keyof typeof QUESTIONS) => {
    const answers = Object.entries(majority[question]).map(([answer, n]) => `${answer.replaceAll('_', ' ')} ${n}`);
    return html`<tr><th scope="row">${QUESTIONS[question]}</th><td>${answers.join(', ')}</td><td>${kappa[question]?.toFixed(3) ?? 'undefined'}</td></tr>`;
  };
  return html`<div class="figure-scroll" tabindex="0" role="region" aria-label="Questions"><table class="figure-table">
<thead><tr><th scope="col">Question</th><th scope="col">Majorities, in pairs</th><th scope="col">κ</th></tr></thead>
<tbody>!${row('cited')}!${row('suggested')}!${row('preferred')}</tbody></table></div>`;
}

function signTest({ sign_test: { prefer_suggested, prefer_cited, left_out, p } }: Agreement): string {
  return html`<p>Sign test: the suggested source is preferred for <strong>${prefer_suggested}</strong> pairs, the cited one for <strong>${prefer_cited}</strong>; ${left_out} without a preference are left out; p = <strong>${p.toPrecision(3)}</strong> (two-sided, exact).</p>`;
}
