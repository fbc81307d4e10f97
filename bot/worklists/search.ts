/** A search on the wiki → the articles it finds, in its order. */
import { z } from 'zod';
import type { Ask } from '../wiki.ts';
import { askList } from './api-list.ts';
import type { Collected } from './collect.ts';
import { cleanTitle, type Position } from './worklist.ts';

export async function collectSearch(
  ask: Ask,
  query: string,
  position: Position | null,
  signal?: AbortSignal,
): Promise<Collected> {
  const { answer, next } = await askList(ask, Answer, { ...SEARCH, srsearch: query }, position, signal);
  return { found: answer.query.search.map(({ title }) => ({ title: cleanTitle(title), importance: 0 })), next };
}

const SEARCH = { list: 'search', srnamespace: 0, srwhat: 'text', srlimit: 'max', srinfo: '', srprop: '' };
const Answer = z.object({ query: z.object({ search: z.array(z.object({ title: z.string() })) }) });
