/** What can come of writing a page, as codes. In: a code of the API. Out: ours, and whether the same edit may go through later. */

/** Why a page is not written. Each is an expected outcome. */
export type RefusalCode =
  /** What was asked for must never be written. */
  | 'invalid_title'
  | 'namespace'
  | 'not_own_user_space'
  | 'not_wikitext'
  | 'redirect'
  /** The page, or the wiki's people, say no. */
  | 'missing_page'
  | 'not_opted_in'
  | 'excluded'
  | 'switched_off'
  | 'markers_broken'
  | 'bad_parameter'
  | 'protected'
  | 'blocked'
  | 'not_allowed'
  | 'spam_blacklist'
  | 'abuse_filter'
  | 'captcha'
  | 'too_large'
  /** It may go through another time. */
  | 'another_writer'
  | 'conflict'
  | 'lagging'
  | 'rate_limited'
  | 'read_only'
  | 'unreachable'
  | 'sign_in_failed'
  | 'session_lost'
  | 'bad_token'
  /** Any other code of the API: `detail` has it. */
  | 'refused';

export interface Refusal {
  kind: 'refused';
  code: RefusalCode;
  /** For a person: a title, a code of the API. */
  detail: string;
}

export type WriteOutcome =
  | { kind: 'saved'; title: string; revision: number; summary: string }
  | { kind: 'unchanged'; title: string }
  | Refusal;

/** What to do before the edit is tried again, on the text that the page has then. */
export type Again = 'at_once' | 'later' | 'with_new_token' | 'signed_in_anew' | 'without_links';

export interface Meaning {
  code: RefusalCode;
  /** Absent: it would be refused again. */
  again?: Again;
}

export function refuse(code: RefusalCode, detail: string): Refusal {
  return { kind: 'refused', code, detail };
}

/** Codes: https://www.mediawiki.org/wiki/API:Errors_and_warnings. */
export function meaningOf(apiCode: string): Meaning {
  const known = MEANINGS.get(apiCode);
  if (known !== undefined) return known;
  if (apiCode.startsWith('abusefilter-')) return { code: 'abuse_filter' };
  if (/blocked$/.test(apiCode)) return { code: 'blocked' };
  if (/protected/.test(apiCode)) return { code: 'protected' };
  if (/^(titleblacklist|permission|mwoauth-)|denied$/.test(apiCode)) return { code: 'not_allowed' };
  return { code: 'refused' };
}

const MEANINGS: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['editconflict', { code: 'conflict', again: 'at_once' }],
  ['maxlag', { code: 'lagging', again: 'later' }],
  ['ratelimited', { code: 'rate_limited', again: 'later' }],
  ['actionthrottledtext', { code: 'rate_limited', again: 'later' }],
  ['readonly', { code: 'read_only', again: 'later' }],
  ['unreachable', { code: 'unreachable', again: 'later' }],
  ['badtoken', { code: 'bad_token', again: 'with_new_token' }],
  ['assertuserfailed', { code: 'session_lost', again: 'signed_in_anew' }],
  ['assertbotfailed', { code: 'session_lost', again: 'signed_in_anew' }],
  ['assertnameduserfailed', { code: 'session_lost', again: 'signed_in_anew' }],
  ['spamblacklist', { code: 'spam_blacklist', again: 'without_links' }],
  ['abusefilter-blocked-domains-attempted', { code: 'spam_blacklist', again: 'without_links' }],
  ['autoblocked', { code: 'blocked' }],
  ['blocked-from-page', { code: 'blocked' }],
  ['mwn_failedlogin', { code: 'sign_in_failed' }],
  ['mwn_notoken', { code: 'sign_in_failed' }],
  ['mwoauth-invalid-authorization', { code: 'sign_in_failed' }],
  ['missingtitle', { code: 'missing_page' }],
  ['pagedeleted', { code: 'missing_page' }],
  ['invalidtitle', { code: 'invalid_title' }],
  ['contenttoobig', { code: 'too_large' }],
  ['noedit', { code: 'not_allowed' }],
  ['captcha', { code: 'captcha' }],
]);
