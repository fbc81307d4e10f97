/** What the gadget says of findings, in words a reader understands. In: findings, and messages. Out: text. An unread source says nothing about support. */
import type { CheckedCitation, Finding, Mismatch, Reliability, Verdict } from '../shared/citation.ts';
import { listText } from '../shared/reliability.ts';
import type { Messages } from './messages.ts';
import { missingOf, openRows, type State } from './state.ts';

/** What is known of the page: never "no problems found". */
export function coverageText(state: State, msg: Messages): string {
  if (state.service === 'unreachable') return msg(state.coverage === null ? 'coverage-unreachable' : 'coverage-gone');
  if (state.service !== 'answered') return msg('coverage-asking');
  if (state.coverage === null) return msg('coverage-unchecked');
  return msg('coverage-known', checkedText(state, msg), openRows(state).length);
}

/** '' where nothing is known. */
export function checkedText({ coverage }: Pick<State, 'coverage'>, msg: Messages): string {
  return coverage === null ? '' : msg('coverage', coverage.checked, coverage.claims);
}

export function verdictText({ verdict, reason, uncheckable }: Finding, msg: Messages): string {
  if (verdict === 'uncheckable' && uncheckable !== null) return msg(`uncheckable-${uncheckable}`);
  if (verdict === 'unavailable' && reason !== null) return msg('verdict-unavailable-why', msg(`reason-${reason}`));
  return msg(`verdict-${verdict}`);
}

/** For a row of a list. */
export function verdictName(verdict: Verdict, msg: Messages): string {
  return msg(`name-${verdict}`);
}

/** P(supported) of one source, or why there is none. */
export function scoreText({ score, reason }: Pick<CheckedCitation, 'score' | 'reason'>, msg: Messages): string {
  if (score !== null) return msg('likely', percentOf(score, msg));
  return reason === null ? msg('unread') : msg('unread-why', msg(`reason-${reason}`));
}

/** What the wiki's editors say of a site: no more than one input. */
export function standingText({ status }: Reliability, msg: Messages): string {
  return msg('standing', msg(`standing-${status}`));
}

export function listName(reliability: Reliability, msg: Messages): string {
  return listText(reliability, dayLanguage(msg));
}

/** What the marked words of a claim are; '' where none are. */
export function missingText(finding: Finding, msg: Messages): string {
  const { text } = finding.claim;
  const words = missingOf(finding).map(({ start, end }) => text.slice(start, end));
  return words.length === 0 ? '' : msg('missing', quotedText(words, msg));
}

/** A detail of the claim, and the page's own words for it. */
export function mismatchText(claim: string, { code, claim: { start, end }, page }: Mismatch, msg: Messages): string {
  return msg('mismatch', msg(`mismatch-${code}`), claim.slice(start, end), page.quote);
}

/** Why there is no suggestion. A corpus that was not searched says nothing. */
export function searchText({ searched }: Finding, msg: Messages): string {
  return msg(searched !== null && searched.shardsAnswered > 0 ? 'search-none' : 'search-not');
}

/** That a source is suggested; none where it is not. It is better only than one that is cited. */
export function foundTexts({ suggestion, verdict }: Finding, msg: Messages): string[] {
  return suggestion === null ? [] : [msg(verdict === 'unsourced' ? 'source-found' : 'better-found')];
}

/** What the list says of a finding beside its verdict. `isPlaced`: it has a badge in the article. */
export function noteText(finding: Finding, isPlaced: boolean, msg: Messages): string {
  const { claim } = finding;
  const better = foundTexts(finding, msg);
  const place = isPlaced ? [] : [msg(/_row$/.test(claim.kind) ? 'finding-row' : 'finding-gone')];
  return better.concat(place).join(' ');
}

export function quotedText(words: readonly string[], msg: Messages): string {
  return words.map((word) => msg('quoted', word)).join(msg('comma'));
}

/** Nothing is certain. */
export function percentOf(score: number, msg: Messages): string {
  const percent = new Intl.NumberFormat(msg.language, { style: 'percent' });
  if (score < 0.01) return msg('percent-under', percent.format(0.01));
  return score > 0.99 ? msg('percent-over', percent.format(0.99)) : percent.format(score);
}

/** ISO time or day in, the day as the language writes it. */
export function dayText(iso: string, msg: Messages): string {
  const day = new Date(iso);
  if (Number.isNaN(day.getTime())) return iso;
  return day.toLocaleDateString(dayLanguage(msg), { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** English Wikipedia writes the day first. */
function dayLanguage({ language }: Messages): string {
  return language === 'en' ? 'en-GB' : language;
}
