import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createExtract } from '../../../bot/claims/extract.ts';
import { createKnownFile } from '../../../bot/vocabulary/known.ts';
import type { Hub } from '../../../bot/vocabulary/names.ts';
import { createWikiVocabulary, type WikiVocabularyOptions } from '../../../bot/vocabulary/wiki-vocabulary.ts';
import { type Ask, createAsk, createWiki } from '../../../bot/wiki.ts';
import { describeWith } from '../../support/describe-with.ts';
import { startWiki, type TestWiki } from '../../support/wiki.ts';
import { configOf, signIn } from '../wiki-editor.ts';

const TEMPLATE_DATA = {
  params: { adresse: { aliases: ['lien'] }, titel: {}, zugriff: { aliases: ['abruf'] }, seiten: {}, archiv: {} },
  maps: { citoid: { url: 'adresse', title: 'titel', accessDate: 'zugriff', pages: ['seiten'] } },
};
const PAGES = {
  'Template:Citation needed': '<sup>[?]</sup>',
  'Template:Beleg nötig': '#REDIRECT [[Template:Citation needed]]',
  'Template:Fact': 'A box of fun facts.',
  'Template:Failed verification': '<sup>[!]</sup>',
  'Template:Steht nicht da': '#REDIRECT [[Template:Failed verification]]',
  'Template:Nirgends belegt': '<sup>[‽]</sup>',
  'Template:Nachweis im Netz': `[{{{lien|{{{adresse|}}}}}} {{{titel}}}]<noinclude><templatedata>${JSON.stringify(TEMPLATE_DATA)}</templatedata></noinclude>`,
  'Template:Netz': '#REDIRECT [[Template:Nachweis im Netz]]',
  'Template:Notiz': '{{{1}}}',
};
const HOUR = 3600_000;

describeWith(['wiki'], 'the vocabulary of a wiki', () => {
  let server: TestWiki;
  let folder: string;
  let english: Server;
  let asked: string[];
  let warned: object[];
  let now: number;
  let isAway: boolean;

  beforeAll(async () => {
    server = await startWiki();
    const editor = await signIn(server);
    for (const [title, text] of Object.entries(PAGES)) await editor.save(title, text);
    english = createServer((_request, response) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(LINKS)),
    );
    await new Promise<void>((resolve) => english.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await server?.stop();
    english?.closeAllConnections();
    english?.close();
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sidelight-vocabulary-'));
    asked = [];
    warned = [];
    now = Date.UTC(2026, 0, 5);
    isAway = false;
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('has the redirects that lead to a tag on this wiki', async () => {
    const vocabulary = await open().for([]);
    expect(vocabulary.meaningOf('beleg nötig')).toBe('citation_needed');
    expect(vocabulary.meaningOf('steht nicht da')).toBe('failed_verification');
  });

  test('leaves out a name that means something else here, and keeps one that the wiki does not have', async () => {
    const vocabulary = await open().for([]);
    expect(vocabulary.meaningOf('fact')).toBeNull();
    expect(vocabulary.meaningOf('cn')).toBe('citation_needed');
  });

  test('takes in what the English Wikipedia links to in this language', async () => {
    // a server that listens on TCP has an AddressInfo
    const { port } = english.address() as AddressInfo;
    const ask = createAsk({ apiUrl: `http://127.0.0.1:${port}/w/api.php`, userAgent: 'test' });
    const vocabulary = await open({ hub: { ask, language: 'de' } }).for([]);
    expect(vocabulary.meaningOf('nirgends belegt')).toBe('failed_verification');
    expect((await open().for([])).meaningOf('nirgends belegt')).toBe('failed_verification');
  });

  test('knows the parameters of a citation template in any language, also by its redirects', async () => {
    const citation = await citationOf(
      '{{Netz |adresse=https://orrin.example/a |titel=Auf See |zugriff=2011-03-04 |seiten=7}}',
    );
    expect(citation).toMatchObject({
      url: 'https://orrin.example/a',
      title: 'Auf See',
      accessDate: '2011-03-04',
      pages: '7',
    });
  });

  test('knows aliases of parameters, and an archive by its address', async () => {
    const archived = 'https://web.archive.org/web/2013/https://orrin.example/b';
    const citation = await citationOf(
      `{{Nachweis im Netz |lien=https://orrin.example/b |titel=B |archiv=${archived}}}`,
    );
    expect(citation).toMatchObject({ url: 'https://orrin.example/b', archiveUrl: archived });
  });

  test('is asked for once a day, and not again for a template of which the wiki says nothing', async () => {
    const vocabulary = open();
    await vocabulary.for(['Netz', 'Notiz', 'No such', 'no [title]']);
    const first = asked.length;
    await vocabulary.for(['Netz', 'Notiz', 'No such']);
    await open().for(['netz', 'Notiz']);
    expect(asked).toHaveLength(first);
    now += 25 * HOUR;
    await vocabulary.for(['Netz']);
    expect(asked).toHaveLength(2 * first);
  });

  test('of yesterday is used while the wiki is away, which the log says', async () => {
    await open().for([]);
    now += 25 * HOUR;
    isAway = true;
    const vocabulary = await open().for(['Netz']);
    expect(vocabulary.meaningOf('beleg nötig')).toBe('citation_needed');
    expect(warned).toMatchObject([{ using: '2026-01-05T00:00:00.000Z' }]);
  });

  test('is the bundled one before anything was read, and the wiki is asked again a minute later', async () => {
    isAway = true;
    const vocabulary = open();
    expect((await vocabulary.for([])).meaningOf('citation needed')).toBe('citation_needed');
    await vocabulary.for([]);
    expect(warned).toMatchObject([{ using: 'bundled' }]);
    isAway = false;
    now += 61_000;
    expect((await vocabulary.for([])).meaningOf('beleg nötig')).toBe('citation_needed');
  });

  test('is read anew where its file is broken', async () => {
    await open().for([]);
    const file = join(folder, 'known.json');
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ readAt: now });
    await writeFile(file, '{"readAt": "yesterday"');
    const before = asked.length;
    await open().for([]);
    expect(asked.length).toBe(2 * before);
  });

  function open(options: { hub?: Hub } = {}) {
    const ask = createAsk(configOf(server));
    const counting: Ask = (schema, params, signal) => {
      asked.push(String(params.action ?? params.prop ?? params.meta));
      return ask(schema, params, isAway ? AbortSignal.abort(new Error('away')) : signal);
    };
    const log: WikiVocabularyOptions['log'] = {
      info: () => undefined,
      warn: (fields: object) => void warned.push(fields),
    };
    const store = createKnownFile(join(folder, 'known.json'));
    return createWikiVocabulary({ ask: counting, hub: options.hub ?? null, store, log, now: () => now });
  }

  async function citationOf(reference: string) {
    const wikitext = `Das Meer ist weit.<ref>${reference}</ref>`;
    const rendered = await createWiki(configOf(server)).transform('Orrin Bay', wikitext);
    if (rendered.kind !== 'html') throw new Error(rendered.kind);
    const extraction = await createExtract({ vocabulary: open() })(rendered.html, 'Orrin Bay');
    return extraction.pairs[0]?.citations[0];
  }
});

/** As the English Wikipedia answers. */
const LINKS = {
  batchcomplete: true,
  query: {
    pages: [
      {
        ns: 10,
        title: 'Template:Failed verification',
        langlinks: [{ lang: 'de', title: 'Vorlage:Nirgends belegt' }],
      },
    ],
  },
};
