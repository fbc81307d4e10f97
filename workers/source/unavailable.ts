/**
 * Why a response is no readable source. In: a status, or what a page shows. Out: a coded reason, or null. Each reason is one
 * small predicate that keeps to what the response shows; when in doubt a page is readable. Nothing is fetched.
 */
import type { UnavailableReason } from '../../shared/citation.ts';
import type { Marks } from './extract/marks.ts';

/** What came back, as far as the reasons need it. */
export interface Shown {
  requestedUrl: string;
  finalUrl: string;
  title: string;
  text: string;
  /** Marks in the markup; those of a page without markup are all negative. */
  marks: Marks;
}

/** Null for 2xx. */
export function reasonOfStatus(status: number): UnavailableReason | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 500) return 'unreachable';
  return STATUS_REASONS.get(status) ?? 'not_found';
}

/** The first reason that holds, the more certain ones first. */
export function reasonOfPage(shown: Shown): UnavailableReason | null {
  return REASONS.find(([, holds]) => holds(shown))?.[0] ?? null;
}

/** An address that asks for consent, or little more than a cookie notice. */
export function isConsent({ finalUrl, text }: Shown): boolean {
  return CONSENT_HOST.test(new URL(finalUrl).hostname) || (words(text) < 80 && COOKIES.test(text) && ACCEPT.test(text));
}

/** Sent to a login page, or a password field and little else. */
export function isLogin({ requestedUrl, finalUrl, text, marks }: Shown): boolean {
  const [from, to] = [new URL(requestedUrl), new URL(finalUrl)];
  const wasSent = from.pathname !== to.pathname && LOGIN_PATH.test(to.pathname) && !LOGIN_PATH.test(from.pathname);
  return wasSent || (marks.passwordField && words(text) < 100);
}

/** Sent from a page to its site's front page, or a page that says it is not there. */
export function isSoftNotFound({ requestedUrl, finalUrl, title, text }: Shown): boolean {
  const [from, to] = [new URL(requestedUrl), new URL(finalUrl)];
  const toFront = FRONT_PATH.test(to.pathname) && to.search === '' && !FRONT_PATH.test(from.pathname);
  return toFront || (words(text) < 150 && NOT_FOUND.test(title));
}

/** A check that the reader is a person. */
export function isChallenge({ title, text }: Shown): boolean {
  return words(text) < 120 && CHALLENGE.test(title);
}

/** Text that its publisher says is not free (https://schema.org/isAccessibleForFree), or that stops at an offer. */
export function isPaywall({ text, marks }: Shown): boolean {
  const count = words(text);
  return (marks.accessibleForFree === false && count < 400) || (count < 200 && (marks.paywall || SUBSCRIBE.test(text)));
}

/** A record that describes a work and does not hold it. */
export function isCatalogue({ finalUrl }: Shown): boolean {
  const { hostname, pathname } = new URL(finalUrl);
  return CATALOGUES.some(([host, path]) => host.test(hostname) && path.test(pathname));
}

/** A shell that scripts were to fill. */
export function isScriptShell({ text, marks }: Shown): boolean {
  const count = words(text);
  return marks.scripts > 0 && (count < 15 || (count < 60 && (marks.asksForScript || ENABLE_SCRIPT.test(text))));
}

function words(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}

const REASONS: readonly (readonly [UnavailableReason, (shown: Shown) => boolean])[] = [
  ['consent', isConsent],
  ['login', isLogin],
  ['blocked', isChallenge],
  ['paywall', isPaywall],
  ['not_found', isSoftNotFound],
  ['catalogue', isCatalogue],
  ['script_shell', isScriptShell],
];

const STATUS_REASONS: ReadonlyMap<number, UnavailableReason> = new Map([
  [401, 'login'],
  [402, 'paywall'],
  [403, 'blocked'],
  [407, 'login'],
  [408, 'timeout'],
  [425, 'unreachable'],
  [429, 'blocked'],
  [451, 'blocked'],
]);
const CONSENT_HOST = /^(consent|guce|myprivacy|cmp)\./i;
const COOKIES = /\bcookies?\b/i;
const ACCEPT = /\b(accept|agree|consent)\b/i;
const LOGIN_PATH = /\/(log-?in|sign-?in|sso|oauth2?|authenticate|authorize)\b/i;
const FRONT_PATH = /^\/?(index\.\w+|home|[a-z]{2})?\/?$/i;
const NOT_FOUND =
  /\b404\b|\bnot found\b|no longer (available|exists)|does ?n[o']t exist|seite nicht gefunden|introuvable/i;
const CHALLENGE = /^just a moment|attention required|are you (a robot|human)|access denied|security check/i;
const SUBSCRIBE =
  /\b(subscribe|subscription|subscribers|register) (now )?(is required )?to (continue|keep|read)|\bsubscribers only\b/i;
const ENABLE_SCRIPT = /\b(enable|requires?|turn on) javascript\b/i;
const CATALOGUES: readonly (readonly [RegExp, RegExp])[] = [
  [/(^|\.)worldcat\.org$/, /./],
  [/^catalog\.loc\.gov$|^lccn\.loc\.gov$/, /./],
  [/^books\.google\.[a-z.]+$/, /./],
  [/(^|\.)google\.[a-z.]+$/, /^\/books\b/],
  [/(^|\.)goodreads\.com$/, /^\/book\b/],
  [/(^|\.)openlibrary\.org$/, /./],
  [/(^|\.)amazon\.[a-z.]+$/, /\/(dp|gp\/product)\//],
];
