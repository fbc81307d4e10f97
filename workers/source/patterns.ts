/** The wording of `wording.ts` as regular expressions. In: data. Out: what a line, a heading or a link is tested against. */

import type { Wording } from './wording.ts';
import * as wording from './wording.ts';

const UNSPACED: ReadonlySet<string> = new Set(['ja', 'zh']);

/** Matches a line that holds the wording. */
export const LINE = {
  notFound: inLine(wording.NOT_FOUND_LINE),
  parked: inLine(wording.PARKED_LINE),
  blocked: inLine(wording.BLOCKED_LINE),
  login: inLine(wording.LOGIN_LINE),
  consent: inLine(wording.CONSENT_LINE),
  offer: inLine(wording.OFFER_LINE),
  script: inLine(wording.SCRIPT_LINE),
  down: inLine(wording.DOWN_LINE),
  record: inLine(wording.RECORD_LINE),
} as const;

/** Matches a title or heading that is the wording and nothing else. */
export const TITLE = {
  notFound: whole(
    wording.NOT_FOUND_TITLE,
    '(?:(?:http )?(?:error|erreur|fehler|errore?|erro|fout|ошибка|エラー|错误)?[\\s:]*(?:404|410)[\\s:.|–—-]*(?:error)?[\\s:.|–—-]*)?',
  ),
  blocked: whole(wording.BLOCKED_TITLE),
  login: whole(wording.LOGIN_TITLE),
  consent: whole(wording.CONSENT_TITLE),
  down: whole(wording.DOWN_TITLE),
  cart: whole(wording.CART),
} as const;

/** Matches a line that begins with a link to the rest. */
export const REST_LINK = compile(`^[^\\p{L}]*(?:${sources(wording.READ_MORE)})(?![\\p{L}\\p{N}])`);

function inLine(wording: Wording): RegExp {
  return compile(`(?:${sources(wording)})`);
}

/** `before` may stand before it, and what people say when they are sorry. */
function whole(wording: Wording, before = ''): RegExp {
  return compile(
    `^\\P{L}*?${before}(?:(?:oops|sorry|whoops|uh-oh|hmm|leider|désolé|lo sentimos)[\\s,.!…:–—-]*)?(?:${sources(wording)})[^\\p{L}\\p{N}]*$`,
  );
}

/** Japanese and Chinese don't part words by spaces; all others match from word to word. */
function sources(wording: Wording): string {
  return Object.entries(wording)
    .map(([language, phrases]) => {
      const joined = phrases.join('|').replaceAll('’', "[’‘']");
      return UNSPACED.has(language) ? joined : `(?<![\\p{L}\\p{N}])(?:${joined})(?![\\p{L}\\p{N}])`;
    })
    .join('|');
}

function compile(source: string): RegExp {
  return new RegExp(source, 'iu');
}
