/** The wiki's API as edits ask it. In: parameters. Out: its answer, or why there is none, as a code and the wiki's own words. */
import type { EditFailure, FailureCode } from './editing.ts';

export type Answered<T> = { kind: 'answered'; answer: T } | { kind: 'failed'; failure: EditFailure };

/** The answer of a request as the API documents it for its parameters, hence the cast; or why there is none. */
export function answerOf<T>(request: mw.Api.AbortablePromise): Promise<Answered<T>> {
  return new Promise((resolve) => {
    request
      .done((answer) => resolve({ kind: 'answered', answer: answer as T }))
      .fail((code: string, answer?: unknown) => resolve({ kind: 'failed', failure: failureOf(code, answer) }));
  });
}

export function failed(why: FailureCode, detail = ''): EditFailure {
  return { why, detail };
}

/** Errors as plain text in the reader's language, with what the wiki's people have made of them. */
export const PLAIN = { formatversion: '2', errorformat: 'plaintext', errorsuselocal: true };

/** `answer`: what the API says of its code. */
export function failureOf(code: string, answer: unknown): EditFailure {
  const why = codeOf(code);
  // of https://www.mediawiki.org/wiki/API:Errors_and_warnings, or what jQuery says of a failed request
  const { errors } = (answer ?? {}) as { errors?: { text?: unknown }[] };
  const said = errors?.[0]?.text;
  return { why, detail: typeof said === 'string' && SAID.indexOf(why) >= 0 ? plainOf(said) : '' };
}

/** Messages of the wiki may be HTML even where plain text was asked for. */
function plainOf(message: string): string {
  const { textContent } = new DOMParser().parseFromString(message, 'text/html').body;
  return (textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, MOST_SAID);
}

/** Codes of the API, first those that are told by a part of them. */
function codeOf(code: string): FailureCode {
  const known = CODES.get(code);
  if (known !== undefined) return known;
  if (/^abusefilter-/.test(code)) return 'filtered';
  if (/blocked$|^blocked/.test(code)) return 'blocked';
  if (/protected/.test(code)) return 'protected';
  if (/^(titleblacklist|permission)|denied$|^noedit/.test(code)) return 'not_allowed';
  return 'refused';
}

const CODES = new Map<string, FailureCode>([
  ['editconflict', 'conflict'],
  ['missingtitle', 'page_gone'],
  ['pagedeleted', 'page_gone'],
  ['assertnameduserfailed', 'not_signed_in'],
  ['assertuserfailed', 'not_signed_in'],
  ['abusefilter-warning', 'warned'],
  ['abusefilter-blocked-domains-attempted', 'spam'],
  ['spamblacklist', 'spam'],
  ['captcha', 'captcha'],
  ['readonly', 'read_only'],
  ['maxlag', 'lagging'],
  ['ratelimited', 'rate_limited'],
  ['actionthrottledtext', 'rate_limited'],
  ['http', 'unreachable'],
  ['ok-but-empty', 'unreachable'],
]);

/** Of which the wiki knows more than we do. */
const SAID: readonly FailureCode[] = [
  'blocked',
  'protected',
  'not_allowed',
  'warned',
  'filtered',
  'spam',
  'refused',
  'read_only',
  'rate_limited',
];
const MOST_SAID = 500;
