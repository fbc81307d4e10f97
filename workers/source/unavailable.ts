/**
 * Why a response is no readable source. In: a status with its headers, or what a page shows. Out: a coded reason, or null. Each
 * reason is one small predicate that keeps to what the response shows; when in doubt a page is readable. Nothing is fetched,
 * and nothing is called dead: that takes several looks.
 */
import type { UnavailableReason } from '../../shared/citation.ts';
import { countWords } from './count-words.ts';
import type { Marks } from './extract/marks.ts';
import { LINE, REST_LINK, TITLE } from './patterns.ts';
import { isCatalogueAddress, isSentToConsent, isSentToError, isSentToFront, isSentToLogin } from './redirects.ts';

/** What came back, as far as the reasons need it. */
export interface Shown {
  requestedUrl: string;
  finalUrl: string;
  title: string;
  text: string;
  /** Marks in the markup; those of a page without markup are all negative. */
  marks: Marks;
}

/** Null for 2xx with a page. `headers` by lower-case name: some say that a status is a check for robots. */
export function reasonOfStatus(
  status: number,
  headers: Readonly<Record<string, string>> = {},
): UnavailableReason | null {
  if (status !== 404 && status !== 410 && isChallenged(headers)) return 'blocked';
  if (PARTIAL.has(status)) return 'truncated';
  if (status >= 200 && status < 300) return null;
  if (status >= 600) return 'blocked'; // 999 is how LinkedIn refuses programs
  return STATUS_REASONS.get(status) ?? (status >= 400 && status < 500 ? 'blocked' : 'unreachable');
}

/** The first reason that holds, the more certain ones first. */
export function reasonOfPage(shown: Shown): UnavailableReason | null {
  return REASONS.find(([, holds]) => holds(shown))?.[0] ?? null;
}

/** Sent to a page that asks for consent, or little more than such a notice. */
export function isConsent(shown: Shown): boolean {
  return (
    isSentToConsent(shown) ||
    (isTitled(shown, TITLE.consent, 200) && hasLine(shown, LINE.consent)) ||
    isMostly(shown, LINE.consent, 25)
  );
}

/** Sent to a login page; or a password field, or the demand to sign in, and little else. */
export function isLogin(shown: Shown): boolean {
  if (isSentToLogin(shown)) return true;
  if (!shown.marks.passwordField) return isMostly(shown, LINE.login, 25);
  const isNothingElse = isShort(shown, 12) || isTitled(shown, TITLE.login, 100);
  return isNothingElse || isMostly(shown, LINE.login, 40);
}

/** A check that the reader is a person, or a refusal. */
export function isChallenge(shown: Shown): boolean {
  const isMarked = shown.marks.challenge && isShort(shown, 100);
  return isMarked || isTitled(shown, TITLE.blocked, 150) || isMostly(shown, LINE.blocked, 40);
}

/** A server that has trouble and says so with a status that says all is well. */
export function isDown(shown: Shown): boolean {
  return isTitled(shown, TITLE.down, 80) || isMostly(shown, LINE.down, 30);
}

/** Sent from a page to its site's front page or to an error page, a page that says it is not there, or a name for sale. */
export function isSoftNotFound(shown: Shown): boolean {
  if (isSentToFront(shown) || isSentToError(shown)) return true;
  const isParked = (shown.marks.parked && isShort(shown, 150)) || isMostly(shown, LINE.parked, 40);
  if (shown.marks.notFound && isShort(shown, 150)) return true;
  return isParked || isTitled(shown, TITLE.notFound, 150) || isMostly(shown, LINE.notFound, 40);
}

/** Text that its publisher says is not free (https://schema.org/isAccessibleForFree), or that stops at an offer. */
export function isPaywall(shown: Shown): boolean {
  const { accessibleForFree, lockedWords, paywall } = shown.marks;
  if (accessibleForFree === true) return false;
  const isLocked = accessibleForFree === false && (lockedWords ?? 0) < 100 && isShort(shown, 400);
  return isLocked || (isShort(shown, 200) && paywall) || (isShort(shown, 250) && hasOffer(shown));
}

/** A record or an advertisement that describes a work or ware and does not hold its text. */
export function isCatalogue(shown: Shown): boolean {
  const { record, cart, types } = shown.marks;
  if (isCatalogueAddress(shown.finalUrl)) return true;
  if (types.some((type) => PROSE_TYPES.has(type))) return false;
  const isWare = types.some((type) => WARE_TYPES.has(type));
  const isForSale = cart && (isWare ? isShort(shown, 250) : isShort(shown, 150) && PRICE.test(shown.marks.shown));
  return isForSale || (record && isShort(shown, 250)) || (isShort(shown, 150) && countRecordLabels(shown) >= 2);
}

/** A shell that scripts, frames or another page were to fill. */
export function isScriptShell(shown: Shown): boolean {
  const { marks } = shown;
  if ((marks.frames || marks.refresh) && isShort(shown, 40)) return true;
  if (marks.scripts === 0) return false;
  return isShort(shown, marks.asksForScript ? 25 : 15) || isMostly(shown, LINE.script, 40);
}

/** Less than the page holds: a teaser with a link to the rest, much less than it says it has, or hardly a word. */
export function isTruncated(shown: Shown): boolean {
  const { shown: all, declaredWords } = shown.marks;
  if (!isShort(shown, 150)) return false;
  const count = countWords(shown.text);
  if (all !== '' && count > 0 && count < 10) return true;
  return (declaredWords ?? 0) > 4 * count || isTeaser(shown.text, all);
}

/** Long texts are not counted. */
function isShort({ text }: Shown, words: number): boolean {
  return text.length < words * MAX_WORD && countWords(text) < words;
}

/**
 * A heading, or a part of the title: sites put their name before or behind it. One of a word or two ("Forbidden") may as well be
 * the title of a song: it counts only where there is hardly any text.
 */
function isTitled(shown: Shown, pattern: RegExp, below: number): boolean {
  if (!isShort(shown, below)) return false;
  const { title, marks } = shown;
  const isBare = isShort(shown, 40);
  return [title, ...title.split(TITLE_PARTS), ...marks.headings].some(
    (part) => (isBare || countWords(part) > 2) && part.length < MAX_TITLE && pattern.test(part),
  );
}

function hasLine({ text, marks }: Shown, pattern: RegExp): boolean {
  return lines(text, marks.shown).some((line) => pattern.test(line));
}

/** Sentences that match, and fewer than `rest` words in all others: an article about such notices has more to say. */
function isMostly({ text, marks }: Shown, pattern: RegExp, rest: number): boolean {
  if (text.length > MAX_WALL) return false;
  const sentences = lines(text, marks.shown).flatMap((line) => line.split(SENTENCE_END));
  const others = sentences.filter((sentence) => !pattern.test(sentence));
  return others.length < sentences.length && countWords(others.join(' ')) < rest;
}

/** An offer stands in a short line of its own, for all to see; an article about offers is written in paragraphs. */
function hasOffer({ text, marks }: Shown): boolean {
  const seen = lines(marks.shown, text);
  return seen.some((line) => line.length < MAX_OFFER && LINE.offer.test(line));
}

function countRecordLabels({ text, marks }: Shown): number {
  const labels = lines(text, '')
    .concat(lines(marks.shown, ''))
    .flatMap((line) => line.match(LABELS) ?? []);
  return new Set(labels.map((label) => label.replace(/^; /, '').toLowerCase())).size;
}

/** The last line ends in dots, and the link to the rest follows, in it or after it. */
function isTeaser(text: string, all: string): boolean {
  const last = text.split('\n').slice(-2);
  const shown = all.split('\n');
  return last.some((line, index) => {
    const [, afterDots] = DOTS.exec(line) ?? [];
    if (afterDots === undefined) return false;
    const next =
      index === 0 && last.length === 2 ? last[1] : shown[shown.findIndex((each) => each.startsWith(line)) + 1];
    return REST_LINK.test(afterDots) || (afterDots.trim() === '' && REST_LINK.test(next ?? ''));
  });
}

/** Of a text; of the other one, where it is empty. */
function lines(text: string, other: string): string[] {
  return (text === '' ? other : text).split('\n');
}

/** https://developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response/ and its like. */
function isChallenged(headers: Readonly<Record<string, string>>): boolean {
  return CHALLENGE_HEADERS.some(([name, value]) => value.test(headers[name] ?? ''));
}

const REASONS: readonly (readonly [UnavailableReason, (shown: Shown) => boolean])[] = [
  ['consent', isConsent],
  ['login', isLogin],
  ['blocked', isChallenge],
  ['unreachable', isDown],
  ['not_found', isSoftNotFound],
  ['paywall', isPaywall],
  ['catalogue', isCatalogue],
  ['script_shell', isScriptShell],
  ['truncated', isTruncated],
];

/** No Content, Reset Content, and a part that nobody asked for. */
const PARTIAL: ReadonlySet<number> = new Set([204, 205, 206]);
/** Other 4xx are refusals, which say nothing of the page. */
const STATUS_REASONS: ReadonlyMap<number, UnavailableReason> = new Map([
  [400, 'not_found'],
  [401, 'login'],
  [402, 'paywall'],
  [404, 'not_found'],
  [407, 'login'],
  [408, 'timeout'],
  [410, 'not_found'],
  [414, 'not_found'],
  [425, 'unreachable'],
]);
const CHALLENGE_HEADERS: readonly (readonly [string, RegExp])[] = [
  ['cf-mitigated', /challenge/i],
  ['x-datadome', /protected/i],
  ['x-amzn-waf-action', /challenge|captcha/i],
];
const TITLE_PARTS = /\s+[|–—·•»›‹:-]+\s+|[|｜]/;
const SENTENCE_END = /(?<=[.!?]['’”"»)]?)\s+|(?<=[。！？])/u;
/** Characters: of an offer's line, of a title, of a word at most on average, of all that a wall says. */
const MAX_OFFER = 160;
const MAX_TITLE = 300;
const MAX_WORD = 60;
const MAX_WALL = 6000;
/** Before what it is the label of: at the beginning of a line, or of a cell. */
const LABELS = new RegExp(`(?:^|; )${LINE.record.source}`, 'giu');
const PRICE = /[$€£¥₽]|(?<!\d)\d{1,4}[.,]\d\d(?!\d)/;
const DOTS = /(?:…|\.{3}|[([](?:…|\.{3})[)\]])([^.…]{0,80})$/;
const PROSE_TYPES: ReadonlySet<string> = new Set([
  'article',
  'newsarticle',
  'blogposting',
  'scholarlyarticle',
  'review',
  'og:article',
]);
const WARE_TYPES: ReadonlySet<string> = new Set([
  'product',
  'book',
  'offer',
  'og:product',
  'og:product.item',
  'og:book',
  'og:books.book',
]);
