/**
 * The blacklists' regular expressions at work. In: the patterns that were imported. Out: which lists block an address. Every search
 * has a deadline, since people write the expressions.
 */
import { type Context, createContext, Script } from 'node:vm';
import type { ListPattern } from '../../../shared/reliability.ts';
import { groupBy } from '../../evaluation/group.ts';

/** A list by which something is blocked. */
export interface BlockingList {
  /** Of the store. */
  id: number;
  home: string;
  title: string;
  revision: number;
  date: string;
}

export type PatternRow = BlockingList & ListPattern & { wiki: string };

export function compilePatterns(rows: readonly PatternRow[]) {
  const compiled = compile(rows);
  return {
    /** Lists of `wiki` that block the address, less those against which a whitelist of that wiki has it. */
    blocking(wiki: string, address: URL): BlockingList[] {
      const lists = compiled.filter((list) => list.wiki === wiki);
      const found = (effect: ListPattern['effect'], about: ListPattern['about']) =>
        lists.filter((list) => list.effect === effect && list.about === about && list.matches(address));
      return ABOUT.flatMap((about) => {
        const blocking = found('block', about);
        return blocking.length === 0 || found('allow', about).length > 0 ? [] : blocking;
      });
    },
  };
}

interface CompiledList extends BlockingList {
  wiki: string;
  about: ListPattern['about'];
  effect: ListPattern['effect'];
  matches(address: URL): boolean;
}

function compile(rows: readonly PatternRow[]): CompiledList[] {
  const groups = groupBy(rows, ({ id, about, effect }) => `${id} ${about} ${effect}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const sources = group.map(({ pattern }) => pattern);
    const search = searcher(
      first.about === 'url' ? batches(sources).map(urlPattern) : batches(sources).map(hostPattern),
    );
    const matches = (address: URL) => search(first.about === 'url' ? address.href.slice(0, LONGEST) : address.hostname);
    return [{ ...first, matches }];
  });
}

/**
 * As the extension joins its lines
 * (https://www.mediawiki.org/wiki/Extension:SpamBlacklist#Performance): from the slashes on, over whatever a host may have.
 */
function urlPattern(sources: string): RegExp {
  return new RegExp(`(?:https?:)?//+[a-z0-9_\\-.]*(?:${sources})`, 'im');
}

/** As https://www.mediawiki.org/wiki/Extension:TitleBlacklist: a line is the whole title. */
function hostPattern(sources: string): RegExp {
  return new RegExp(`^(?:${sources})$`, 'is');
}

/** Alternatives joined up to a size that an engine takes well. */
function batches(sources: readonly string[]): string[] {
  const joined: string[] = [];
  for (const source of sources) {
    const last = joined.at(-1);
    if (last === undefined || last.length + source.length > BATCH) joined.push(source);
    else joined[joined.length - 1] = `${last}|${source}`;
  }
  return joined;
}

/** Whether one matches. One that searches past the deadline does not: MediaWiki, too, lets pass what its engine gives up on. */
function searcher(patterns: readonly RegExp[]): (text: string) => boolean {
  // V8 compiles an expression when it first runs, and again soon: that time is not the search's
  for (let run = 0; run < 2; run++) for (const pattern of patterns) pattern.test('//a.example');
  const scope = createContext({ patterns, text: '' });
  return (text) => search(scope, patterns, text) ?? patterns.some((pattern) => search(scope, [pattern], text) === true);
}

/** Null if the deadline passed. */
function search(scope: Context, patterns: readonly RegExp[], text: string): boolean | null {
  Object.assign(scope, { patterns, text });
  try {
    return SEARCH.runInContext(scope, { timeout: DEADLINE_MS }) === true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // thrown by node: a code is all we read
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null;
    throw error;
  }
}

const ABOUT = ['url', 'host'] as const;
const SEARCH = new Script('patterns.some((pattern) => pattern.test(text))');
/** As the extension has it. */
const BATCH = 4096;
/** Characters of an address that are searched: no blacklist is about what follows. */
const LONGEST = 2000;
const DEADLINE_MS = 200;
