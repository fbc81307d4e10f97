/** What the gadget says, in words a reader understands. In: state and findings. Out: text. An unread source says nothing about support. */
import type {
  CheckedCitation,
  Finding,
  Mismatch,
  Reliability,
  UncheckableReason,
  Verdict,
} from '../shared/citation.ts';
import { STANDINGS } from '../shared/reliability.ts';
import { type EditFailure, missingOf, openRows, type State } from './state.ts';

/** For the link among the wiki's tools. */
export function linkText(state: State): string {
  if (state.service === 'asking') return 'Sidelight: asking…';
  if (state.service === 'unreachable') return 'Sidelight: can’t be reached';
  return state.coverage === null ? 'Sidelight: not checked yet' : `Sidelight: ${checkedText(state.coverage)}`;
}

/** What is known of the page: never "no problems found". */
export function coverageText(state: State): string {
  if (state.service === 'asking') return 'Asking Sidelight…';
  if (state.service === 'unreachable') {
    return 'The Sidelight service can’t be reached: nothing is known about this page.';
  }
  if (state.coverage === null) return 'Sidelight has not checked this page yet.';
  return `${checkedText(state.coverage)}, ${openRows(state).length} to look at. A model judged them: a claim without a mark is not proven.`;
}

function checkedText({ checked, claims }: { checked: number; claims: number }): string {
  return `${checked} of ${claims} claims checked`;
}

export function verdictText({ verdict, reason, uncheckable }: Finding): string {
  if (verdict === 'uncheckable' && uncheckable !== null) return UNCHECKABLE[uncheckable];
  if (verdict !== 'unavailable') return VERDICTS[verdict];
  return reason === null ? 'The source could not be read.' : `The source could not be read: ${wordsOf(reason)}.`;
}

/** P(supported) of one source, or why there is none. */
export function scoreText({ score, reason }: Pick<CheckedCitation, 'score' | 'reason'>): string {
  if (score !== null) return `${percentOf(score)} likely to support it`;
  return reason === null ? 'not read' : `not read: ${wordsOf(reason)}`;
}

/** What the wiki's editors say of a site: no more than one input. */
export function standingText({ status }: Reliability): string {
  return `The site, one input among many: ${STANDINGS[status]}`;
}

/** What the marked words of a claim are; '' where none are. */
export function missingText(finding: Finding): string {
  const { text } = finding.claim;
  const words = missingOf(finding).map(({ start, end }) => `“${text.slice(start, end)}”`);
  return words.length === 0 ? '' : `Nothing that was read supports: ${words.join(', ')}`;
}

/** A detail of the claim, and the page's own words for it. */
export function mismatchText({ claim }: Finding, { code, claim: { start, end }, page }: Mismatch): string {
  return `${MISMATCHES[code]}: the claim says “${claim.text.slice(start, end)}”; the page says “${page.quote}”`;
}

/** Why there is no suggestion. A corpus that was not searched says nothing. */
export function searchText({ searched }: Finding): string {
  return searched !== null && searched.shardsAnswered > 0
    ? 'None found in the corpus that was searched.'
    : 'Not searched.';
}

/** What the list says of a finding beside its verdict. `isPlaced`: it has a badge in the article. */
export function noteText({ claim, suggestion }: Finding, isPlaced: boolean): string {
  const better = suggestion === null ? '' : 'A better source was found. ';
  if (isPlaced) return better;
  return `${better}${/_row$/.test(claim.kind) ? 'In a table.' : 'Not found in the text any more.'}`;
}

export function replacingText(weakest: CheckedCitation | null): string {
  return weakest === null
    ? 'Cites it in place of the tag, under your name.'
    : `Replaces “${weakest.title || weakest.url || weakest.text}”, under your name.`;
}

export function failureText({ why, detail }: EditFailure): string {
  return detail === '' || why !== 'refused' ? FAILURES[why] : `${FAILURES[why]} It says: ${detail}`;
}

/** Nothing is certain. */
function percentOf(score: number): string {
  if (score < 0.01) return 'under 1 %';
  return score > 0.99 ? 'over 99 %' : `${Math.round(score * 100)} %`;
}

function wordsOf(code: string): string {
  return code.replace(/_/g, ' ');
}

const VERDICTS: Record<Exclude<Verdict, 'unavailable'>, string> = {
  contradicted: 'The source seems to say otherwise.',
  supported: 'The source supports this.',
  partially_supported: 'The source seems to support only a part of this.',
  not_supported: 'The source does not seem to support this.',
  unsourced: 'No source is cited.',
  uncheckable: 'No source can settle this.',
  unsupported_language: 'This is in a language that can’t be judged yet.',
};

const UNCHECKABLE: Record<UncheckableReason, string> = {
  opinion: 'This is an opinion, which no source can settle.',
  routine_calculation: 'This is a routine calculation, which needs no source.',
  sky_is_blue: 'This is common knowledge, which needs no source.',
};

const MISMATCHES: Record<Mismatch['code'], string> = {
  number: 'Number',
  date: 'Date',
  unit: 'Unit',
  range: 'Range',
  name: 'Name',
  opposite: 'Opposite',
};

const FAILURES = {
  not_found: 'The citation was not found in the text of the page: it may have been edited since.',
  not_signed_in: 'Sign in to the wiki first: the edit is made under your name.',
  conflict: 'Somebody else keeps editing the page. Try again.',
  refused: 'The wiki refused the edit; nothing was changed.',
  unreachable: 'The wiki could not be reached. Look at the page’s history before you try again.',
};
