/** What a page says of itself: title, site, day of publication, language, address. In: a document and its JSON-LD. Guesses nothing. */
import { parseHttpUrl, parseUrl } from '../../../shared/url.ts';
import { squeeze } from './blocks.ts';
import type { Document } from './dom.ts';
import { type Thing, textOfThing } from './structured.ts';

export interface Metadata {
  title: string;
  /** BCP 47, '' if the page does not say. */
  language: string;
  site?: string;
  /** ISO date, as the page gives it: the day in its own time zone. */
  publishedAt?: string;
  /** As the page writes it: absolute or not, of this site or not. */
  canonical?: string;
}

export function readMetadata(document: Document, things: readonly Thing[]): Metadata {
  const [site, publishedAt, canonical] = [
    readSite(document, things),
    readDay(document, things),
    readCanonical(document),
  ];
  return {
    title: readTitle(document),
    language: readLanguage(document),
    ...(site !== '' && { site }),
    ...(publishedAt !== null && { publishedAt }),
    ...(canonical !== '' && { canonical }),
  };
}

/** The page's own address, absolute, where it is on the site that the page came from; null for none. */
export function ownAddress(canonical: string | undefined, pageUrl: string): string | null {
  const page = parseHttpUrl(pageUrl);
  const own = canonical === undefined ? null : parseUrl(canonical, pageUrl);
  if (page === null || own === null || parseHttpUrl(own.href) === null || own.href.length > MAX_URL) return null;
  return siteOf(own.hostname) === siteOf(page.hostname) ? own.href : null;
}

function readTitle(document: Document): string {
  const title = meta(document, 'og:title') || textAt(document, 'title') || textAt(document, 'h1');
  return squeeze(title).slice(0, 1000);
}

function readSite(document: Document, things: readonly Thing[]): string {
  const publisher = things.map((thing) => textOfThing(thing['publisher'])).find(Boolean);
  const site = things.find((thing) => thing['@type'] === 'WebSite');
  const named = meta(document, 'og:site_name', 'application-name', 'citation_journal_title', 'dc.publisher');
  return squeeze(named || textOfThing(site?.['name']) || (publisher ?? '')).slice(0, 500);
}

function readDay(document: Document, things: readonly Thing[]): string | null {
  const said = [
    ...things.map((thing) => textOfThing(thing['datePublished'])),
    meta(document, 'article:published_time', 'og:article:published_time'),
    meta(document, 'citation_publication_date', 'citation_date', 'citation_online_date'),
    meta(
      document,
      'dc.date.issued',
      'dcterms.issued',
      'dc.date',
      'dcterms.date',
      'dcterms.created',
      'parsely-pub-date',
      'sailthru.date',
      'pubdate',
      'date',
    ),
    ...[...document.querySelectorAll('[itemprop~="datePublished"]')].map(
      (element) => element.getAttribute('content') ?? element.getAttribute('datetime') ?? element.textContent ?? '',
    ),
    ...[...document.querySelectorAll('time[pubdate], time.published, article header time, article time, time')]
      .slice(0, 1)
      .map((time) => time.getAttribute('datetime') ?? ''),
  ];
  return said.map(toDay).find((day) => day !== null) ?? null;
}

/** Only dates that name a day beyond doubt: 3/4/2019 is two days. */
function toDay(text: string): string | null {
  const [, year, month, day] =
    /^\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(text) ?? /^\s*(\d{4})(\d\d)(\d\d)(?:T|$)/.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) && Number(year) >= 1000 ? iso : null;
}

function readCanonical(document: Document): string {
  return (document.querySelector('link[rel~="canonical" i]')?.getAttribute('href') || meta(document, 'og:url')).trim();
}

function readLanguage(document: Document): string {
  const root = document.documentElement;
  const said =
    root.getAttribute('lang') ||
    root.getAttribute('xml:lang') ||
    document.querySelector('[http-equiv="content-language" i]')?.getAttribute('content');
  try {
    return Intl.getCanonicalLocales(said ?? '')[0] ?? '';
  } catch {
    return ''; // not a language tag
  }
}

/** The first of these names that a meta element has, in any case. */
function meta(document: Document, ...names: string[]): string {
  for (const name of names) {
    const element = document.querySelector(`meta[property="${name}" i], meta[name="${name}" i]`);
    const content = element?.getAttribute('content')?.trim();
    if (content !== undefined && content !== '') return content;
  }
  return '';
}

function textAt(document: Document, selector: string): string {
  return document.querySelector(selector)?.textContent ?? '';
}

/** `www.` and other hosts of one site are one: the last two labels, three where the one before the last is short (`co.uk`). */
function siteOf(hostname: string): string {
  const labels = hostname.toLowerCase().split('.');
  return labels.slice((labels.at(-2)?.length ?? 0) <= SHORT_LABEL ? -3 : -2).join('.');
}

const MAX_URL = 4000;
const SHORT_LABEL = 3;
