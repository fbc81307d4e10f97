/** The form by which findings are checked again: counted first, then begun. In: what was asked and counted. Out: HTML. */
import { html } from 'ghtml';
import { UnavailableReason, Verdict } from '../../../shared/citation.ts';
import type { Requeued } from '../../requeue/requeue.ts';
import { hidden } from './forms.ts';
import { REASONS, VERDICTS } from './words.ts';

export interface CountedRequeue {
  fields: RequeueFields;
  counted: Requeued;
}

/** As the form has them; '' where one is empty. */
export interface RequeueFields {
  articles: string;
  category: string;
  depth: string;
  citation: string;
  reason: string;
  verdict: string;
  model: string;
  olderThan: string;
  readAgain?: string | undefined;
}

export function requeueForm(asked: CountedRequeue | null, csrf: string): string {
  const is = asked?.fields ?? NO_FIELDS;
  return html`
!${asked === null ? '' : countedNotice(asked, csrf)}
<form class="service-form" method="post" action="/maintain/requeues#requeue">!${hidden('_csrf', csrf)}
<label class="service-wide">Articles, one a line <textarea name="articles" rows="2">${is.articles}</textarea></label>
<label>Category <input name="category" value="${is.category}"></label>
<label>Levels below it <input name="depth" type="number" min="0" max="10" value="${is.depth}"></label>
<label>Cited address <input name="citation" type="url" value="${is.citation}"></label>
<label>Could not be read <select name="reason">!${options(UnavailableReason.options, REASONS, is.reason)}</select></label>
<label>Verdict <select name="verdict">!${options(Verdict.options, VERDICTS, is.verdict)}</select></label>
<label>Model, or “other” <input name="model" value="${is.model}"></label>
<label>Judged more than … days ago <input name="olderThan" type="number" min="0" value="${is.olderThan}"></label>
<label class="service-check"><input type="checkbox" name="readAgain" !${is.readAgain === undefined ? '' : 'checked'}> Read sources again</label>
<button class="button" type="submit" name="act" value="count">Count first</button>
</form>`;
}

const NO_FIELDS: RequeueFields = {
  articles: '',
  category: '',
  depth: '',
  citation: '',
  reason: '',
  verdict: '',
  model: '',
  olderThan: '',
};

function countedNotice({ fields, counted }: CountedRequeue, csrf: string): string {
  const { findings, articles } = counted;
  if (findings === 0) return html`<p class="notice" role="status">No finding is like that.</p>`;
  const kept = Object.entries(fields).map(([name, value]) => (value === undefined ? '' : hidden(name, value)));
  return html`<form class="notice" role="status" method="post" action="/maintain/requeues">!${hidden('_csrf', csrf)}!${kept}
<p><strong>${findings} findings on ${articles} articles</strong> would be checked again.</p>
<button class="button button-primary" type="submit" name="act" value="requeue">Check them again</button></form>`;
}

function options<T extends string>(values: readonly T[], words: Record<T, string>, chosen: string): string {
  const all = values.map(
    (value) => html`<option value="${value}" !${value === chosen ? 'selected' : ''}>${words[value]}</option>`,
  );
  return html`<option value="">–</option>!${all}`;
}
