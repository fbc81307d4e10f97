/**
 * Reads the lists of one wiki and hands them to the store. In: places, the wiki's API. Out: what was read of each place. A place that
 * can't be read now keeps what was imported before.
 */
import { TransientError } from '../../shared/errors.ts';
import type { ImportedList, ListKind } from '../../shared/reliability.ts';
import { parseBlockedDomains, parseSpamLines, parseTitleLines } from './blacklists.ts';
import type { ReadList } from './list-pages.ts';
import { parseMirrors } from './mirrors.ts';
import type { Parsed } from './parsed.ts';
import { parsePerennial } from './perennial.ts';
import type { Place } from './places.ts';

export interface ListHome {
  /** Id of the wiki. */
  wiki: string;
  read: ReadList;
}

export interface ImportDependencies {
  own: ListHome;
  /** The wiki with the lists that all wikis of a farm share; null: there is none. */
  global: ListHome | null;
  places: readonly Place[];
  store: {
    replace(wiki: string, place: string, lists: readonly ImportedList[]): Promise<void>;
    keepOnly(wiki: string, places: readonly string[]): Promise<void>;
  };
}

export interface PlaceRead {
  place: Place;
  lists: ImportedList[];
  /** Why it could not be read; null if it was, also where there is no such page. */
  failed: string | null;
}

/** Throws what is not the wiki's being away. */
export async function importLists(dependencies: ImportDependencies, signal?: AbortSignal): Promise<PlaceRead[]> {
  const { own, store } = dependencies;
  const homes = dependencies.places.map((place) => ({ place, home: homeOf(place, dependencies) }));
  const wanted = homes.flatMap(({ place, home }) => (home === null ? [] : [{ place, home }]));
  await store.keepOnly(own.wiki, wanted.map(keyOf));
  const outcome: PlaceRead[] = [];
  for (const { place, home } of wanted) {
    try {
      const lists = await readPlace(place, home, signal);
      await store.replace(own.wiki, keyOf({ place, home }), lists);
      outcome.push({ place, lists, failed: null });
    } catch (error) {
      if (!(error instanceof TransientError)) throw error;
      outcome.push({ place, lists: [], failed: error.message });
    }
  }
  return outcome;
}

function homeOf({ form }: Place, { own, global }: ImportDependencies): ListHome | null {
  return form === 'global_spam_blacklist' || form === 'global_title_blacklist' ? global : own;
}

function keyOf({ place, home }: { place: Place; home: ListHome }): string {
  return `${home.wiki} ${place.form} ${place.page}`;
}

async function readPlace(place: Place, { wiki: home, read }: ListHome, signal?: AbortSignal): Promise<ImportedList[]> {
  const pages = await read(place.page, place.subpages, signal);
  const lists = pages.map(({ text, ...page }) => ({ home, ...page, kind: KINDS[place.form], ...parse(text, place) }));
  return lists.filter(({ entries, patterns, skipped }) => entries.length + patterns.length + skipped.length > 0);
}

function parse(text: string, place: Place): Parsed {
  switch (place.form) {
    case 'perennial':
      return parsePerennial(text, place);
    case 'spam_blacklist':
    case 'global_spam_blacklist':
      return parseSpamLines(text, 'block');
    case 'spam_whitelist':
      return parseSpamLines(text, 'allow');
    case 'title_blacklist':
    case 'global_title_blacklist':
      return parseTitleLines(text, 'block');
    case 'title_whitelist':
      return parseTitleLines(text, 'allow');
    case 'blocked_domains':
      return parseBlockedDomains(text);
    case 'mirrors':
      return parseMirrors(text);
  }
}

const KINDS: Record<Place['form'], ListKind> = {
  perennial: 'perennial',
  spam_blacklist: 'blacklist',
  spam_whitelist: 'blacklist',
  global_spam_blacklist: 'blacklist',
  global_title_blacklist: 'blacklist',
  title_blacklist: 'blacklist',
  title_whitelist: 'blacklist',
  blocked_domains: 'blacklist',
  mirrors: 'mirrors',
};
