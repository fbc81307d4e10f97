/**
 * What is known of a suggested source: by the wiki's own Citoid where it has one (https://www.mediawiki.org/wiki/Citoid/API), else by
 * the suggestion alone. In: the suggestion, a path on this wiki. Out: a work, always. Asks no other site.
 */
import type { Suggestion } from '../shared/citation.ts';
import type { Work } from './work.ts';

export async function describeWork(suggestion: Suggestion, citoid: string): Promise<Work> {
  const { url, title, evidence } = suggestion;
  const known = { url, title, website: '', date: '', authors: [], type: 'webpage' };
  const work = { ...known, quote: evidence.quote, page: evidence.page ?? '' };
  const answer = citoid === '' ? null : await ask(`${citoid}${encodeURIComponent(url)}`);
  return answer === null ? work : { ...work, ...saidOf(answer, work) };
}

/** The first of what it found; null if it found nothing, or not in time. */
async function ask(path: string): Promise<Record<string, unknown> | null> {
  const address = new URL(path, location.href);
  if (address.origin !== location.origin) return null;
  const abort = new AbortController();
  const deadline = setTimeout(() => abort.abort(), DEADLINE_MS);
  try {
    const response = await fetch(address.href, { signal: abort.signal, headers: { accept: 'application/json' } });
    const found: unknown = response.ok ? await response.json() : null;
    const first: unknown = Array.isArray(found) ? found[0] : null;
    return typeof first === 'object' && first !== null ? (first as Record<string, unknown>) : null; // its fields are looked at
  } catch {
    return null;
  } finally {
    clearTimeout(deadline);
  }
}

/** Each field that is of the type it should be. The address stays that of the page that was read. */
function saidOf(answer: Record<string, unknown>, { title }: Work): Partial<Work> {
  const { author } = answer;
  const authors = (Array.isArray(author) ? author : []).map((one: unknown) => (Array.isArray(one) ? one : [one]));
  return {
    title: textOf(answer.title) || title,
    website: textOf(answer.websiteTitle) || textOf(answer.publicationTitle),
    date: textOf(answer.date),
    authors: authors.map((names) => ({ first: textOf(names[0]), last: textOf(names[1]) })),
    type: textOf(answer.itemType) || 'webpage',
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, LONGEST) : '';
}

const DEADLINE_MS = 5000;
const LONGEST = 500;
