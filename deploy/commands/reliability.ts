/**
 * `sidelight reliability`: what a wiki's own lists say of sites. `import` reads them now; `show` says what was read of an address,
 * and whether the page may be suggested.
 */
import Table from 'cli-table3';
import { importFrom } from '../../bot/reliability/daily.ts';
import type { PlaceRead } from '../../bot/reliability/import.ts';
import type { Reliability } from '../../shared/citation.ts';
import type { Config } from '../../shared/config.ts';
import { RequestError, TransientError } from '../../shared/errors.ts';
import { parseHttpUrl } from '../../shared/url.ts';
import { whyExcluded } from '../../workers/suggestion/reliability/exclusions.ts';
import { openReliabilityStore } from '../../workers/suggestion/reliability/store.ts';
import { withSampleWiki } from '../local/sample-wiki.ts';
import { print } from './print.ts';

/** Throws TransientError if the wiki is away; a list that alone can't be read is named, and keeps what was imported before. */
export async function importReliability(
  config: Config,
  options: { json: boolean },
  signal: AbortSignal,
): Promise<void> {
  const store = await openReliabilityStore(config.databases.reliability);
  try {
    const read = await withSampleWiki(config, (settings) => importFrom(settings, store, signal));
    const [first] = read;
    if (first?.failed && read.every(({ failed }) => failed !== null)) throw new TransientError(first.failed);
    print(options.json ? { wiki: config.wiki.id, places: read.map(placeJson) } : importedText(read));
  } finally {
    await store.close();
  }
}

/** Throws RequestError for what is no address. */
export async function showReliability(config: Config, url: string, options: { json: boolean }): Promise<void> {
  if (parseHttpUrl(url) === null) throw new RequestError('invalid_url', `${url} is no http(s) address`);
  const store = await openReliabilityStore(config.databases.reliability);
  try {
    const { allowUserGenerated } = config.reliability;
    const lists = await store.current();
    const excluded = whyExcluded(config.wiki.id, url, { reliability: lists, allowUserGenerated });
    const reliability = lists.reliability(config.wiki.id, url);
    const isImported = (await store.lists(config.wiki.id)).length > 0;
    print(
      options.json
        ? { url, wiki: config.wiki.id, reliability, excluded }
        : shownText(reliability, excluded, isImported),
    );
  } finally {
    await store.close();
  }
}

function placeJson({ place, lists, failed }: PlaceRead) {
  const counted = lists.map(({ entries, patterns, ...list }) => ({
    ...list,
    entries: entries.length,
    patterns: patterns.length,
  }));
  return { form: place.form, page: place.page, failed, lists: counted };
}

function importedText(read: readonly PlaceRead[]): string {
  const table = new Table({
    head: ['list', 'revision', 'of', 'sites', 'expressions', 'not used'],
    style: { head: [] },
  });
  for (const { place, lists, failed } of read) {
    if (failed !== null) table.push([place.page, { colSpan: 5, content: failed }]);
    for (const { title, revision, timestamp, entries, patterns, skipped } of lists) {
      table.push([title, revision, timestamp.slice(0, 10), entries.length, patterns.length, skipped.length]);
    }
  }
  const unused = read.flatMap(({ lists }) =>
    lists.flatMap(({ title, skipped }) => skipped.map((line) => `${title}: ${line}`)),
  );
  const parts = [table.length === 0 ? 'the wiki has none of the lists' : table.toString()];
  if (unused.length > 0) parts.push(`not used:\n${unused.map((line) => `  ${line}`).join('\n')}`);
  return parts.join('\n');
}

function shownText(reliability: Reliability | null, excluded: string | null, isImported: boolean): string {
  const known =
    reliability === null
      ? isImported
        ? 'on no list'
        : 'nothing was imported yet: sidelight reliability import'
      : `${words(reliability.status)}: ${reliability.list}, revision ${reliability.revision} of ${reliability.date}`;
  return `${known}\n${excluded === null ? 'may be suggested' : `never suggested: ${words(excluded)}`}`;
}

function words(code: string): string {
  return code.replaceAll('_', ' ');
}
