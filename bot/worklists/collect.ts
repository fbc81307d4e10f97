/**
 * A worklist and where its run stands → some of its titles, and where to go on. One request to the wiki or to a tool at most.
 * Keeps nothing.
 */
import type { Ask } from '../wiki.ts';
import { collectCategory } from './category.ts';
import { collectCreations } from './creations.ts';
import { collectLinks } from './links.ts';
import type { Found } from './members.ts';
import { collectPagePile } from './pagepile.ts';
import { collectPetScan } from './petscan.ts';
import type { Category } from './runs.ts';
import { collectSearch } from './search.ts';
import { cleanTitle, type Position, type Worklist } from './worklist.ts';

export interface Collected {
  found: Found[];
  /** Null: there is no more, or no more of the category. */
  next: Position | null;
  /** The category that was read, and those in it that are to be read too. */
  walked?: { read: Category; below: Category[] };
}

export interface CollectOptions {
  ask: Ask;
  tools: ToolSettings;
  /** Titles that a list was added with. */
  titles(worklist: number, from: number, limit: number): Promise<string[]>;
}

export interface ToolSettings {
  pagePileUrl: string;
  petScanUrl: string;
  userAgent: string;
}

/** Throws ListRefused for what is no list of this wiki, TransientError for what does not answer. */
export type Collect = (
  worklist: Pick<Worklist, 'id' | 'source'>,
  position: Position | null,
  signal?: AbortSignal,
) => Promise<Collected>;

export function createCollect({ ask, tools, titles }: CollectOptions): Collect {
  return async ({ id, source }, position, signal) => {
    switch (source.kind) {
      case 'category':
      case 'assessment':
        return collectCategory(ask, source, position, signal);
      case 'search':
        return collectSearch(ask, source.query, position, signal);
      case 'links':
        return collectLinks(ask, source.title, position, signal);
      case 'creations':
        return collectCreations(ask, source.user, position, signal);
      case 'pagepile':
        return whole(await collectPagePile(ask, tools, source.id, signal));
      case 'petscan':
        return whole(await collectPetScan(ask, tools, source.id, signal));
      case 'file':
        return storedTitles(id, typeof position?.next === 'number' ? position.next : 0);
    }
  };

  async function storedTitles(id: number, from: number): Promise<Collected> {
    const some = await titles(id, from, TITLES);
    const next = some.length < TITLES ? null : { next: from + TITLES };
    return { ...whole(some), next };
  }
}

function whole(titles: readonly string[]): Collected {
  return { found: titles.map((title) => ({ title: cleanTitle(title), importance: 0 })), next: null };
}

/** Of a stored list at a time: as many as the API gives. */
const TITLES = 500;
