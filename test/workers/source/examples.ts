/** Sources as tests put them. */
import type { ReadableSource, Source } from '../../../shared/citation.ts';
import { hashText } from '../../../shared/hash.ts';

export const url = 'https://ferry.example/a';

export function dead(fetchedAt = new Date()): Source {
  return { kind: 'unavailable', url, reason: 'dead', detail: 'HTTP 404', fetchedAt: fetchedAt.toISOString() };
}

export const readable: ReadableSource = {
  kind: 'readable',
  url,
  finalUrl: url,
  title: 'The ferry',
  text: 'Built in 1930.',
  contentHash: hashText('Built in 1930.'),
  type: 'html',
  language: 'en',
  fetchedAt: new Date().toISOString(),
  archivedAt: null,
};

export function aGivenSource(text: string): ReadableSource {
  return { ...readable, text, contentHash: hashText(text), given: true };
}
