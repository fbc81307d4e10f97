/** What the addresses say alone. In: the address that was asked for and the one that the answer came from. Out: yes or no. */

export interface Addresses {
  requestedUrl: string;
  finalUrl: string;
}

/** To a host or path that asks for consent. */
export function isSentToConsent({ requestedUrl, finalUrl }: Addresses): boolean {
  const [from, to] = [new URL(requestedUrl), new URL(finalUrl)];
  return isNew(from.hostname, to.hostname, CONSENT_HOST) || isNew(from.pathname, to.pathname, CONSENT_PATH);
}

/** To a host or path where people sign in. */
export function isSentToLogin({ requestedUrl, finalUrl }: Addresses): boolean {
  const [from, to] = [new URL(requestedUrl), new URL(finalUrl)];
  return isNew(from.hostname, to.hostname, LOGIN_HOST) || isNew(from.pathname, to.pathname, LOGIN_PATH);
}

/** To a page that is there for errors. */
export function isSentToError({ requestedUrl, finalUrl }: Addresses): boolean {
  return isNew(new URL(requestedUrl).pathname, new URL(finalUrl).pathname, ERROR_PATH);
}

/** From a page to a front page. A name that leads to the front page of another host is a short or vanity link. */
export function isSentToFront({ requestedUrl, finalUrl }: Addresses): boolean {
  const [from, to] = [new URL(requestedUrl), new URL(finalUrl)];
  if (!FRONT_PATH.test(to.pathname) || to.search !== '') return false;
  if (FRONT_PATH.test(from.pathname)) return isPageQuery(from);
  return bareHost(from) === bareHost(to) || !VANITY_PATH.test(from.pathname);
}

/** A site, or a part of one, that holds records of works. */
export function isCatalogueAddress(address: string): boolean {
  const { hostname, pathname } = new URL(address);
  return CATALOGUES.some(([host, path]) => host.test(hostname) && path.test(pathname));
}

function isNew(before: string, after: string, pattern: RegExp): boolean {
  return before !== after && pattern.test(after) && !pattern.test(before);
}

/** `/?p=2317`: the page was named by a number. */
function isPageQuery({ searchParams }: URL): boolean {
  return [...searchParams].some(([name, value]) => PAGE_PARAMETER.test(name) && /\d/.test(value));
}

function bareHost({ hostname }: URL): string {
  return hostname.replace(/^(www\d?|m)\./, '');
}

const CONSENT_HOST = /^(consent|guce|myprivacy|cmp|privacy-?gate)\./i;
const CONSENT_PATH = /\/(cookie-?(consent|wall|gate)|privacy-?(gate|consent)|collectconsent|consent)(\.\w+)?(\/|$)/i;
const LOGIN_HOST = /^(accounts?|login|log-in|signin|auth|sso|idp|openid)\./i;
const LOGIN_PATH =
  /\/(log-?[io]n|sign-?in|wp-login|user-?login|servicelogin|sso|cas|oauth2?|openid-connect|authenticate|authorize|authwall|shibboleth[^/]*|connexion|anmelden|anmeldung|inloggen|aanmelden|iniciar-?sesion|entrar|accedi|accesso)(\.\w+)?(\/|$)/i;
const ERROR_PATH =
  /\/(404|410|error-?404|404-?(error|page)|errors?|(page-?)?not-?found|page_not_found|notfound|seite-nicht-gefunden|pagina-no-encontrada|page-introuvable)(\.\w+)?(\/|$)/i;
const FRONT_PATH = /^(\/[a-z]{2}([-_][a-z]{2})?)?(\/(index|home|homepage|default|main|start|welcome)(\.\w+)?)?\/?$/i;
const VANITY_PATH = /^\/[^/.]+\/?$/;
const PAGE_PARAMETER = /^(p|id|page_?id|article(_?id)?|story(_?id)?|news_?id|art(_?id)?|aid|nid|sid|item|doc|post)$/i;
const CATALOGUES: readonly (readonly [RegExp, RegExp])[] = [
  [/(^|\.)worldcat\.org$/, /./],
  [/^catalog\.loc\.gov$|^lccn\.loc\.gov$/, /./],
  [/^books\.google\.[a-z.]+$/, /./],
  [/^(www\.)?google\.[a-z.]+$/, /^\/books\b/],
  [/(^|\.)goodreads\.com$/, /^\/book\b/],
  [/^(www\.)?openlibrary\.org$/, /^\/(books|works)\//],
  [/^(www\.)?archive\.org$/, /^\/details\//],
  [/^catalog\.hathitrust\.org$/, /^\/Record\//],
  [/^(www\.)?librarything\.com$/, /^\/work\//],
  [/^(portal\.)?d-?nb\.(de|info)$/, /./],
  [/^catalogue\.bnf\.fr$/, /./],
  [/(^|\.)amazon\.[a-z.]+$/, /\/(dp|gp\/product)\//],
  [/(^|\.)abebooks\.[a-z.]+$/, /./],
];
