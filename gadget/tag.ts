/** {{failed verification}}, put behind a citation and taken away. In: the page, the marker. Out: what changes, or why nothing does. */
import type { Verdict } from '../shared/citation.ts';
import type { Changed, Page } from './change.ts';
import { formatDay } from './dates.ts';
import { type EditFailure, refuse } from './editing.ts';
import { behind, besides, citing } from './place.ts';
import { endWithPages, type Marker } from './references.ts';
import type { TagReason } from './site-config.ts';
import { escapeText } from './work.ts';

/** Right behind the citation and its pages, where wikis that set references before the full stop want it too. */
export function tagCitation(page: Page, marker: Marker): Changed | EditFailure {
  const { wikitext, references, style } = page;
  const beside = besides(wikitext, marker, references, style.config.templates);
  if (beside[beside.indexOf(marker) + 1]?.kind === 'failed_verification') return refuse('already_tagged');
  const text = tagOf(page);
  if (text === null) return refuse('no_template');
  const at = endWithPages(wikitext, marker.end, style.config.templates);
  return { kind: 'changed', spans: [{ start: at, end: at, text }], reference: null };
}

/** The only one behind the claim, or that right behind the citation. */
export function untagCitation({ wikitext, references, finding, cited, style }: Page): Changed | EditFailure {
  const { uses, enclosing } = references;
  const tags = uses.filter(({ kind }) => kind === 'failed_verification');
  const { claim } = finding;
  const placed = behind(wikitext, { candidates: tags, enclosing }, claim);
  if ('marker' in placed) return without(wikitext, placed.marker);
  if (placed.why !== 'ambiguous') return refuse(placed.why === 'not_found' ? 'not_tagged' : placed.why);
  const citation =
    cited === null ? placed : behind(wikitext, { candidates: citing(references, cited), enclosing }, claim);
  if (!('marker' in citation)) return refuse('ambiguous');
  const beside = besides(wikitext, citation.marker, references, style.config.templates);
  const next = beside[beside.indexOf(citation.marker) + 1];
  return next?.kind === 'failed_verification' ? without(wikitext, next) : refuse('ambiguous');
}

/** With the blanks before it, where nothing else would part. */
function without(wikitext: string, { start, end }: Marker): Changed {
  const blanks = /[ \t]*$/.exec(wikitext.slice(0, start))?.[0].length ?? 0;
  const isApart = /^(?:\s|$|[.,;:!?])/.test(wikitext.slice(end));
  return { kind: 'changed', spans: [{ start: isApart ? start - blanks : start, end, text: '' }], reference: null };
}

function tagOf({ finding, style, tagTemplate }: Page): string | null {
  const { config, language, now } = style;
  if (tagTemplate === null) return null;
  const date = formatDay(now, config.dates.tag, language, config.dates.months);
  const reason = REASONS[finding.verdict];
  const values: [string | undefined, string][] = [
    [config.parameters.tagDate[0], date],
    [config.parameters.tagReason[0], reason === undefined ? '' : config.reasons[reason]],
  ];
  const set = values.filter(([name, value]) => name !== undefined && value !== '');
  return `{{${tagTemplate}${set.map(([name, value]) => `|${name}=${escapeText(value)}`).join('')}}}`;
}

const REASONS: Partial<Record<Verdict, TagReason>> = {
  contradicted: 'source_disagrees',
  not_supported: 'source_silent',
  partially_supported: 'partly',
};
