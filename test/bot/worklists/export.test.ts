import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { parseHTML } from 'linkedom';
import { exportRun } from '../../../bot/worklists/export.ts';
import type { Format } from '../../../bot/worklists/formats.ts';
import { progressOf } from '../../../bot/worklists/progress.ts';
import { createOnRead } from '../../../bot/worklists/read.ts';
import { type Run, requestOf } from '../../../bot/worklists/worklist.ts';
import type { Finding, Verdict } from '../../../shared/citation.ts';
import { hashCitation, hashClaim } from '../../../shared/hash.ts';
import { openReviewDatabase, type Schema } from '../../../workers/review/database.ts';
import { createFindings, type Findings } from '../../../workers/review/findings.ts';
import { describeWith } from '../../support/describe-with.ts';
import { aFinding } from '../../support/examples.ts';
import { startWiki } from '../../support/wiki.ts';
import { decideAs } from '../../workers/review/store.ts';
import { type PaperWiki, startPaperWiki } from './paper-wiki.ts';
import { openWalk, type Walk, WIKI } from './walk.ts';

let wiki: PaperWiki;
let walk: Walk;
let folder: string;
let review: Kysely<Schema>;
let findings: Findings;
let run: Run;

beforeEach(async () => {
  wiki = await startPaperWiki();
  walk = await openWalk(wiki);
  folder = await mkdtemp(join(tmpdir(), 'sidelight-export-'));
  review = await openReviewDatabase(join(folder, 'review.sqlite'));
  findings = createFindings(review);
  run = await walk.toPublishing({ kind: 'file', name: 'f', titles: 4 }, ['Mill 1', 'Mill 2', 'Mill 3', 'Never']);
  await walk.step(run);
  const onRead = createOnRead(walk.store, 'model-1');
  await onRead(requestOf(run), { page: { id: 1, title: 'Mill 1' }, kind: 'read', claims: 5, checking: 4 });
  await onRead(requestOf(run), { page: { id: 2, title: 'Mill 2' }, kind: 'read', claims: 1, checking: 1 });
});
afterEach(async () => {
  await review.destroy();
  await rm(folder, { recursive: true });
  await walk.close();
  await wiki.close();
});

const record = (page: number, text: string, fields: Partial<Finding> = {}) => {
  const claim = { ...aFinding.claim, text, hash: hashClaim(text) };
  return findings.record({ ...aFinding, wiki: WIKI, page: { id: page, title: `Mill ${page}` }, claim, ...fields });
};
const citing = (url: string): Partial<Finding> => ({
  citations: aFinding.citations.map((citation) => ({ ...citation, url, hash: hashCitation({ url, text: '' }) })),
});
const suggestion = (title: string) => ({
  url: 'https://better.example/page',
  title,
  score: 0.9,
  reliability: null,
  evidence: { quote: 'secret text', url: '', title: '', start: 0, end: 11, passage: 'a secret text' },
});

async function exported(format: Format, verdicts: Verdict[] = []): Promise<string> {
  const worklist = { wiki: WIKI };
  const options = { store: walk.store, review, worklist, run, format, verdicts, reviewOrigin: 'http://127.0.0.1:8145' };
  let text = '';
  for await (const piece of exportRun(options)) text += piece;
  return text;
}

describe('the progress of a run', () => {
  test('counts articles by what became of them, claims, and findings by verdict', async () => {
    await record(1, 'The mill closed in 1931.');
    await record(1, 'It was built of stone.', { verdict: 'supported', score: 0.9 });
    await record(2, 'It has a wheel.');
    await record(9, 'Of another list.');
    await decideAs(review, 'Ada', 1, { decision: 'accept' });
    expect(await progressOf(walk.store, review, { wiki: WIKI }, run)).toEqual({
      articles: { known: 4, waiting: 0, open: 1, read: 2, leftOut: { missing: 1 } },
      claims: { found: 6, checked: 3, checking: 2 },
      findings: { open: { supported: 1, not_supported: 1 }, decided: 1 },
    });
  });

  test('does not take what was found before the run for its own', async () => {
    await record(1, 'The mill closed in 1931.');
    await review.updateTable('findings').set({ judged_at: '2020-01-01T00:00:00.000Z' }).execute();
    const { claims, findings: found } = await progressOf(walk.store, review, { wiki: WIKI }, run);
    expect(claims).toEqual({ found: 6, checked: 0, checking: 5 });
    expect(found.open).toEqual({ not_supported: 1 });
  });
});

describe('the export of a run', () => {
  test('as JSON has each article with its findings, and no text of a source', async () => {
    await record(1, 'The mill closed in 1931.', { suggestion: suggestion('A better page') });
    const articles = JSON.parse(await exported('json'));
    expect(articles).toMatchObject([
      {
        article: 'Mill 1',
        pageId: 1,
        revision: 1001,
        state: 'read',
        claims: 5,
        findings: [
          {
            claim: 'The mill closed in 1931.',
            verdict: 'not_supported',
            score: 0.2,
            cited: ['https://orrin.example/mill'],
            suggestion: { url: 'https://better.example/page', title: 'A better page', score: 0.9 },
            review: 'http://127.0.0.1:8145/findings/1',
          },
        ],
      },
      { article: 'Mill 2', state: 'read', findings: [] },
      { article: 'Mill 3', state: 'open', findings: [] },
    ]);
    expect(JSON.stringify(articles)).not.toContain('secret');
  });

  test('has only the verdicts that are asked for', async () => {
    await record(1, 'The mill closed in 1931.');
    await record(1, 'It was built of stone.', { verdict: 'supported', score: 0.9 });
    const texts = JSON.parse(await exported('json', ['supported']))[0].findings.map(
      ({ claim }: { claim: string }) => claim,
    );
    expect(texts).toEqual(['It was built of stone.']);
  });

  test('as CSV can be read by a spreadsheet and has no formula in it', async () => {
    const formulas = ['=HYPERLINK("https://evil.example")', '+1+1', '-2+3', '@SUM(A1)', '＝1+1'];
    for (const text of formulas) await record(1, text);
    await record(2, 'It said "a, b"\nand more.', citing('https://a.example/?q=1,2'));
    const csv = await exported('csv');
    expect(
      csv.startsWith(
        '\uFEFFarticle,revision,state,claims,section,claim,verdict,score,cited,suggestion,decision,review\r\n',
      ),
    ).toBe(true);
    expect(csv).toContain(
      'Mill 2,1002,read,1,History,"It said ""a, b""\nand more.",not_supported,0.2,"https://a.example/?q=1,2",,,',
    );
    const cells = csv.split(/\r\n/).map((line) => line.split(',')[5] ?? '');
    expect(cells.filter((cell) => /^"?[=+\-@＝]/.test(cell))).toEqual([]);
    expect(csv).toContain(`'+1+1`);
    expect(csv).toContain('Mill 3,1003,open,,,,,,,,,\r\n');
  });

  test('of a run without articles is empty in each format', async () => {
    run = await walk.store.runs.begin(
      (await walk.store.lists.add({ wiki: WIKI, name: 'none', source: { kind: 'search', query: 'x' } })).id,
      false,
    );
    expect(JSON.parse(await exported('json'))).toEqual([]);
    expect((await exported('csv')).trimEnd().split('\r\n')).toHaveLength(1);
    expect(await exported('wikitext')).toMatch(/^\{\|.*\|\}\n$/s);
  });
});

describeWith(['wiki'], 'the export of a run as wikitext', () => {
  test('shows whatever claims and sources say, and lets the wiki parse none of it', async () => {
    const hostile =
      "'''{{Delete}} [[Category:Bad]] <script>x</script> </nowiki>|-\n| ~~~~ {{{1}}} __NOTOC__ -- &amp; ISBN 9780306406157";
    await record(1, hostile, {
      ...citing("https://a.example/[x]{{y}}|z''q''~~~~__TOC__"),
      suggestion: suggestion(']] {{Bad}}'),
    });
    const server = await startWiki();
    try {
      const body = new URLSearchParams({
        action: 'parse',
        format: 'json',
        formatversion: '2',
        pst: '1',
        title: 'User:Bot/List',
      });
      body.set('prop', 'text|categories|templates|links');
      body.set('text', await exported('wikitext'));
      const answer = await fetch(server.apiUrl, { method: 'POST', body });
      const { parse } = (await answer.json()) as { parse: { text: string; [list: string]: unknown } };
      expect({ ...parse, text: '' }).toMatchObject({ categories: [], templates: [] });
      expect(parse.links).toEqual([{ ns: 0, title: 'Mill 1', exists: false }]);
      const cells = [...parseHTML(parse.text).document.querySelectorAll('td')];
      expect(cells).toHaveLength(7);
      expect(cells[1]?.textContent.trim()).toBe(hostile.replace('\n', ' '));
      expect(cells[6]?.querySelector('a')?.getAttribute('href')).toBe('http://127.0.0.1:8145/findings/1');
    } finally {
      await server.stop();
    }
  });
});
