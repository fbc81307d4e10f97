/** A category of the wiki and, down to a depth, its subcategories → titles of its articles, one answer of the API at a time. */

import type { Ask } from '../../bot/wiki.ts';
import { collectCategory } from '../../bot/worklists/category.ts';
import type { Collected } from '../../bot/worklists/collect.ts';
import type { Position } from '../../bot/worklists/worklist.ts';

export interface Category {
  /** With its namespace: `Category:Mills`. */
  title: string;
  /** 0: no subcategories. */
  depth: number;
}

/** Throws ListRefused (a RequestError) for a category that is none, TransientError where the wiki does not answer. */
export async function* categoryTitles(ask: Ask, category: Category, signal: AbortSignal): AsyncGenerator<string[]> {
  const seen = new Set([category.title]);
  const open = [{ title: category.title, depth: 0 }];
  for (let read = open.pop(); read !== undefined; read = open.pop()) {
    for await (const { found, walked } of answers(ask, category, read, signal)) {
      const below = (walked?.below ?? []).filter(({ title }) => !seen.has(title));
      for (const { title } of below) seen.add(title);
      open.push(...below);
      if (found.length > 0) yield found.map(({ title }) => title);
    }
  }
}

/** Of one category. The first question of all, which has no position, is also whether there is one. */
async function* answers(ask: Ask, category: Category, read: Category, signal: AbortSignal): AsyncGenerator<Collected> {
  const source = { kind: 'category', ...category } as const;
  let position: Position | null = read.depth === 0 ? null : { category: read };
  do {
    const answer: Collected = await collectCategory(ask, source, position, signal);
    yield answer;
    position = answer.next;
  } while (position !== null);
}
