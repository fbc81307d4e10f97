import { hashCitation } from '../../../shared/hash.ts';
import { openFetched } from '../../../workers/retrieval/corpus/inputs/fetched.ts';
import { type Given, MAX_GIVEN, readGiven } from '../../../workers/source/given.ts';
import { openSourceStore, type SourceStore } from '../../../workers/source/store.ts';
import { aCitation } from '../../support/examples.ts';
import { articlePage, pdf } from './pages.ts';

const TEXT = 'The ferry was built in 1930.';
const now = Date.parse('2026-03-01T00:00:00Z');
let store: SourceStore;
let given: Given;
beforeEach(async () => {
  store = await openSourceStore(':memory:');
  given = store.given;
});
afterEach(() => store.close());

const read = (body: string | Buffer, contentType = 'text/plain', citation = aCitation) =>
  readGiven(citation, { body: Buffer.from(body), contentType }, now);

test.each([
  ['a text', TEXT, 'text/plain', 'text', 'The mill'],
  ['a PDF', pdf([[TEXT]]), 'application/pdf', 'pdf', 'Ferry report'],
  ['a PDF that is sent as something else', pdf([[TEXT]]), 'application/octet-stream', 'pdf', 'Ferry report'],
])('%s is a readable source that says that it was given', async (_, body, contentType, type, title) => {
  const source = await read(body, contentType);
  expect(source).toMatchObject({ kind: 'readable', given: true, type, title, text: TEXT, url: aCitation.url });
  expect(source).toMatchObject({ fetchedAt: '2026-03-01T00:00:00.000Z', archivedAt: null });
});

test('a saved page is extracted as a fetched one', async () => {
  expect(await read(articlePage, 'text/html')).toMatchObject({ type: 'html', title: 'The ferry', given: true });
});

test.each([
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]), 'image/png', 'unsupported_type'],
  ['a program that is called a text', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]), 'text/plain', 'unsupported_type'],
  ['a file of an office program', 'PK', 'application/vnd.oasis.opendocument.text', 'unsupported_type'],
  ['a scan', pdf([[]]), 'application/pdf', 'unreadable'],
  ['a text of dots', '… — …', 'text/plain', 'unreadable'],
  ['a text over the limit', Buffer.alloc(MAX_GIVEN.text + 1, 'a '), 'text/plain', 'too_large'],
])('%s is refused', async (_, body, contentType, code) => {
  await expect(read(body, contentType)).rejects.toMatchObject({ name: 'RequestError', code });
});

test('a PDF may be larger than a text, up to its own limit', async () => {
  const padded = Buffer.concat([pdf([[TEXT]]), Buffer.alloc(MAX_GIVEN.text, '\n')]);
  expect(await read(padded, 'application/pdf')).toMatchObject({ text: TEXT });
  const larger = Buffer.concat([padded, Buffer.alloc(MAX_GIVEN.pdf, '\n')]);
  await expect(read(larger, 'application/pdf')).rejects.toMatchObject({ code: 'too_large' });
});

test('what was given is known by its citation and by its key, until it is given anew or withdrawn', async () => {
  const { key } = await given.put(aCitation, await read(TEXT));
  expect(await store.get(key)).toMatchObject({ text: TEXT, given: true });
  await given.put(aCitation, await read('Built in 1931.'));
  expect(await given.of(aCitation.hash)).toMatchObject({ key, source: { text: 'Built in 1931.' } });
  expect(await given.withdraw(aCitation.hash)).toBe(true);
  expect([await given.of(aCitation.hash), await store.get(key), await given.withdraw(aCitation.hash)]).toEqual([
    null,
    null,
    false,
  ]);
});

test('it is no fetched page: not by the page’s key, not listed, not in the input of a corpus', async () => {
  await given.put(aCitation, await read(TEXT));
  expect(await store.get(aCitation.hash)).toBeNull();
  expect(await store.fresh(aCitation.url ?? '', 1e15)).toBeNull();
  expect([await store.count(), await store.pages(0, 10)]).toEqual([0, []]);
  const entries = [];
  for await (const entry of openFetched(store).entries(0, new AbortController().signal)) entries.push(entry);
  expect(entries).toEqual([]);
});

test('a work without an address can be given', async () => {
  const hash = hashCitation({ url: null, text: 'Vale, The Ferries, 1950' });
  const source = await read(TEXT, 'text/plain', { ...aCitation, url: null, hash });
  expect(source.url).toBe(`urn:sidelight:given:${hash}`);
});
