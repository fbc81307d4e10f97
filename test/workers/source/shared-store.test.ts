import { randomBytes } from 'node:crypto';
import type { Source } from '../../../shared/citation.ts';
import { hashCitation, hashText } from '../../../shared/hash.ts';
import { type DatabasePlace, openSql } from '../../../shared/sql.ts';
import type { Look } from '../../../workers/source/health.ts';
import { openSourceStore, type SourceStore, type SourceStoreOptions } from '../../../workers/source/store.ts';
import type { SourceTables } from '../../../workers/source/tables.ts';
import { onEachEngine } from '../../support/databases.ts';
import { aCitation } from '../../support/examples.ts';
import { aGivenSource, dead, readable, url } from './examples.ts';

const HOUR = 3600 * 1000;
const now = Date.parse('2026-03-01T00:00:00Z');
const failed: Look = { kind: 'failed', reason: 'not_found', retryAfterMs: null };

onEachEngine('the source store', [], (fresh) => {
  const stores: SourceStore[] = [];
  afterEach(() => Promise.all(stores.splice(0).map((store) => store.close())));
  const open = async (place: DatabasePlace, options: SourceStoreOptions = {}) => {
    const store = await openSourceStore(place, options);
    stores.push(store);
    return store;
  };
  const one = async (options?: SourceStoreOptions) => open(await fresh(), options);
  const two = async () => {
    const place = await fresh();
    return Promise.all([open(place), open(place)]);
  };
  const pageAt = (path: string, text: string): Source & { kind: 'readable' } => {
    const at = `https://ferry.example/${path}`;
    return { ...readable, url: at, finalUrl: at, text, contentHash: hashText(text) };
  };
  const isGone = async (store: SourceStore, text: string) => (await store.texts.get(hashText(text))) === null;

  test('what one process puts, another gets, by the hash of the canonical URL; the later one counts', async () => {
    const [here, there] = await two();
    const key = await here.put(dead());
    expect(key).toBe(hashCitation({ url: 'http://www.ferry.example/a/', text: '' }));
    expect(await there.get(key)).toMatchObject({ reason: 'dead' });
    await there.put(readable);
    expect(await here.get(key)).toEqual(readable);
    expect(await here.count()).toBe(1);
    expect(await here.get('0123456789abcdef')).toBeNull();
  });

  test('a source is fresh until it is too old, or a person says something of it', async () => {
    const store = await one();
    await store.put(dead(new Date(Date.now() - 60_000)));
    expect(await store.fresh(url, 120_000)).toMatchObject({ source: { reason: 'dead' } });
    expect(await store.fresh(url, 30_000)).toBeNull();
    expect(await store.fresh('https://ferry.example/b', 120_000)).toBeNull();
    await store.links.correct(url, 'live', '', Date.now());
    expect(await store.fresh(url, 120_000)).toBeNull();
  });

  test('sources are listed in the order in which their pages were first put', async () => {
    const store = await one();
    const pages = ['z', 'a', 'm'].map((path) => pageAt(path, 'Built in 1930.'));
    for (const page of [...pages, ...pages.slice(0, 1)]) await store.put(page);
    const all = await store.pages(0, 10);
    expect(all.map(({ source }) => source.url)).toEqual(pages.map((page) => page.url));
    expect(await store.pages(0, 1)).toEqual(all.slice(0, 1));
    expect(await store.pages(all[0]?.position ?? 0, 10)).toEqual(all.slice(1));
  });

  test('a text that two addresses have is stored once, and goes when no page has it any more', async () => {
    const store = await one({ looseMs: 0 });
    const other = pageAt('b', 'Built in 1930.');
    const [, key] = [await store.put(readable), await store.put(other)];
    await store.put(dead());
    expect(await store.get(key)).toEqual(other);
    await store.put(pageAt('b', 'Built in 1931.'));
    expect(await isGone(store, 'Built in 1930.')).toBe(true);
    expect(await isGone(store, 'Built in 1931.')).toBe(false);
  });

  test('a text that a page has lost just now stays for a while: another page may be about to have it', async () => {
    const store = await one();
    await store.put(readable);
    await store.put(dead());
    expect(await isGone(store, 'Built in 1930.')).toBe(false);
  });

  test('a text that a person decided on stays, and one that is gone is passed over', async () => {
    const store = await one({ looseMs: 0 });
    await store.put(readable);
    await store.texts.keep([readable.contentHash, 'no such text']);
    await store.put(dead());
    expect(await store.texts.get(readable.contentHash)).toBe('Built in 1930.');
    expect(await store.texts.get('no such text')).toBeNull();
  });

  test('a text of any script comes back as it was', async () => {
    const store = await one();
    const text = 'Fährschiff — 渡し船 🚢 \u0000 end ';
    expect(await store.get(await store.put({ ...pageAt('c', text), title: '渡し船 🚢 ' }))).toMatchObject({
      text,
      title: '渡し船 🚢 ',
    });
  });

  test('the longest text that is kept goes in and comes out', async () => {
    const store = await one();
    const text = randomBytes(6 * 1024 ** 2).toString('hex'); // packs to little over its half
    expect(await store.get(await store.put(pageAt('long', text)))).toMatchObject({ contentHash: hashText(text), text });
  });

  test('a page whose text is lost is not known, so that it is fetched again', async () => {
    const place = await fresh();
    const store = await open(place);
    const key = await store.put(readable);
    const db = openSql<SourceTables>(place);
    await db.deleteFrom('source_texts').execute();
    await db.destroy();
    expect([await store.get(key), await store.fresh(url, HOUR)]).toEqual([null, null]);
    await store.put(readable);
    expect(await store.get(key)).toEqual(readable);
  });

  test('processes that put the same pages at once, again and again, leave each once and whole', async () => {
    const processes = await two();
    const texts = ['Built in 1930.', 'Built in 1931.', 'Built in 1932.'];
    const pages = Array.from({ length: 60 }, (_, at) => pageAt(String(at % 4), texts[at % 3] ?? ''));
    await Promise.all(processes.map((store) => Promise.all(pages.map((page) => store.put(page)))));
    const listed = (await processes[0].pages(0, 100)).map(({ source }) => source);
    expect(listed.map((source) => source.url).sort()).toEqual(
      ['0', '1', '2', '3'].map((path) => `https://ferry.example/${path}`),
    );
    for (const source of listed)
      expect(source).toMatchObject({ contentHash: hashText('text' in source ? source.text : '') });
  });

  test('looks of several processes at one link all count', async () => {
    const [here, there] = await two();
    const looks = Array.from({ length: 5 }, (_, at) =>
      (at % 2 ? here : there).links.observe(url, failed, now + at * 2 * HOUR),
    );
    await Promise.all(looks);
    await here.links.correct(url, 'live', 'it is there', now + 20 * HOUR);
    const { failures, correction } = await there.links.get(url);
    expect([failures, correction?.note]).toEqual([0, 'it is there']);
  });

  test('no two processes take the same due link', async () => {
    const [here, there] = await two();
    for (let at = 0; at < 10; at += 1) await here.links.observe(`${url}${at}`, failed, now);
    const later = now + 48 * HOUR;
    const taken = await Promise.all([here.links.takeDue(10, later), there.links.takeDue(10, later)]);
    expect(taken.flat().sort()).toEqual(Array.from({ length: 10 }, (_, at) => `${url}${at}`));
    expect(await here.links.takeDue(10, later)).toEqual([]);
  });

  test('links are counted and listed by state, the latest look first', async () => {
    const { links } = await one();
    await links.observe(`${url}1`, failed, now);
    await links.observe(`${url}2`, { kind: 'answered', reason: null, seen: 'a' }, now + 1);
    await links.correct(`${url}3`, 'dead', 'a shop', now);
    expect(await links.counts()).toEqual({ failing: 1, live: 1, corrected: 1, due: 2 });
    expect((await links.list({ limit: 5 })).map((one) => one.url)).toEqual([`${url}2`, `${url}1`, `${url}3`]);
    expect(await links.list({ state: 'corrected', limit: 5 })).toMatchObject([
      { health: { correction: { note: 'a shop' } } },
    ]);
    expect(await links.list({ limit: 1 })).toHaveLength(1);
  });

  test('what a person gave is known by its citation and its key in all processes, until it is withdrawn', async () => {
    const [here, there] = await two();
    const { key } = await here.given.put(aCitation, aGivenSource('Built in 1930.'));
    await there.given.put(aCitation, aGivenSource('Built in 1931.'));
    expect(await here.given.of(aCitation.hash)).toMatchObject({ key, source: { text: 'Built in 1931.', given: true } });
    expect(await there.get(key)).toMatchObject({ text: 'Built in 1931.' });
    expect([await here.given.withdraw(aCitation.hash), await there.given.withdraw(aCitation.hash)]).toEqual([
      true,
      false,
    ]);
    expect(await there.given.of(aCitation.hash)).toBeNull();
  });

  test('what a person gave is never stored as a page that was fetched', async () => {
    const store = await one();
    await expect(store.put({ ...readable, given: true })).rejects.toThrow('person');
    expect(await store.count()).toBe(0);
  });

  test('responses are kept too', async () => {
    const { responses } = await one();
    const answer = { finalUrl: url, status: 200, contentType: 'text/html', headers: {}, body: Buffer.from('<p>') };
    await responses.put(url, { kind: 'response', ...answer, receivedAt: '2026-03-01T00:00:00.000Z' });
    expect(await responses.get(`${url}#top`)).toMatchObject(answer);
    expect(await responses.addresses('2026-03-02T00:00:00Z')).toEqual([]);
  });
});
