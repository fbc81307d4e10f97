/**
 * What an HTML page says of itself beside its text: its own address, and the day it was published. In: HTML. Out: values that
 * were found, or null. The text is read apart (`source/extract/`), which takes ten times as long.
 */
import { z } from 'zod';
import { parseJson } from '../../../../shared/json.ts';
import { parseHttpUrl, parseUrl } from '../../../../shared/url.ts';
import { type Document, parseDocument } from '../../../source/extract/dom.ts';

export interface Head {
  /** http(s); null if the page names none. */
  url: string | null;
  /** ISO date, as the page writes it: without regard to its time zone. */
  publishedAt: string | null;
}

export function readHead(html: string): Head {
  const document = parseDocument(html);
  return { url: readUrl(document) ?? readSavedFrom(html), publishedAt: readPublished(document) };
}

/** `<base>` alone is no address of the page, often only of its site: it is where a relative address starts from. */
function readUrl(document: Document): string | null {
  const base = document.querySelector('base[href]')?.getAttribute('href') ?? '';
  const said = [
    document.querySelector('link[rel~="canonical" i]')?.getAttribute('href'),
    document.querySelector('meta[property="og:url" i]')?.getAttribute('content'),
  ];
  for (const address of said) {
    const url = resolve(address?.trim() ?? '', base);
    if (url !== null) return url;
  }
  return null;
}

function resolve(address: string, base: string): string | null {
  if (address === '') return null;
  const parent = parseHttpUrl(base);
  const whole = parent === null ? null : parseUrl(address, parent.href);
  return parseHttpUrl(whole?.href ?? address)?.href ?? null;
}

/** Browsers write this comment into a page that they save. */
function readSavedFrom(html: string): string | null {
  const address = SAVED_FROM.exec(html.slice(0, SAVED_FROM_WITHIN))?.[1];
  return address === undefined ? null : (parseHttpUrl(address)?.href ?? null);
}

/** The page's own metadata first; a `<time>` only where it is plain which one is meant. */
function readPublished(document: Document): string | null {
  for (const [selector, attribute] of PUBLISHED) {
    const day = toDay(document.querySelector(selector)?.getAttribute(attribute));
    if (day !== null) return day;
  }
  for (const script of document.querySelectorAll('script[type="application/ld+json"]')) {
    const day = findDay(parseJson(script.textContent ?? ''), 0);
    if (day !== null) return day;
  }
  const times = [...document.querySelectorAll('time[datetime]')];
  const own =
    document.querySelector('article time[datetime], main time[datetime]') ?? (times.length === 1 ? times[0] : null);
  return toDay(own?.getAttribute('datetime'));
}

function findDay(data: unknown, depth: number): string | null {
  if (typeof data !== 'object' || data === null || depth > MAX_DEPTH) return null;
  const own = 'datePublished' in data ? toDay(data.datePublished) : null;
  if (own !== null) return own;
  const parts = Array.isArray(data) ? data : '@graph' in data ? [data['@graph']] : [];
  for (const part of parts) {
    const day = findDay(part, depth + 1);
    if (day !== null) return day;
  }
  return null;
}

/** Year, month and day as written. Other forms are read differently in different countries: null. */
function toDay(value: unknown): string | null {
  const [, year, month, day] = (typeof value === 'string' && DAY.exec(value.trim())) || [];
  return Day.safeParse(`${year}-${month}-${day}`).data ?? null;
}

const Day = z.iso.date();
/** Years of three digits and fewer stand for "unknown" in what publishing systems write. */
const DAY = /^([1-9]\d{3})[-/](\d{2})[-/](\d{2})(?!\d)/;
const PUBLISHED = [
  ['meta[property="article:published_time" i]', 'content'],
  ['meta[itemprop="datePublished"]', 'content'],
  ['time[itemprop="datePublished"]', 'datetime'],
  ['meta[name="citation_publication_date" i]', 'content'],
  ['meta[name="dc.date.issued" i], meta[name="dcterms.issued" i]', 'content'],
  ['meta[name="parsely-pub-date" i]', 'content'],
] as const;
const SAVED_FROM = /<!-- saved from url=\(\d+\)(\S{1,2000}) -->/;
const SAVED_FROM_WITHIN = 4096;
const MAX_DEPTH = 4;
