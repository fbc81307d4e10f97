import { join } from 'node:path';
import { type Finding, Finding as FindingSchema, type Source, type Suggestion } from '../../../shared/citation.ts';
import { hashText } from '../../../shared/hash.ts';
import { createLogger } from '../../../shared/logger.ts';
import type { Context } from '../../../shared/pipeline.ts';
import { createReader } from '../../../workers/source/read.ts';
import { openSourceStore, type SourceStore } from '../../../workers/source/store.ts';
import { createRanker } from '../../../workers/suggestion/rank.ts';
import { openReliabilityStore, type ReliabilityStore } from '../../../workers/suggestion/reliability/store.ts';
import { createSuggest, MARGIN, type SuggestDependencies } from '../../../workers/suggestion/suggest.ts';
import { type Judgements, openJudgements, rememberJudgements } from '../../../workers/verification/judgements.ts';
import { loadModels, loadVerifier, type Models, type Verifier } from '../../../workers/verification/verifier.ts';
import { aFinding } from '../../support/examples.ts';
import { startWeb, type Web } from '../../support/web.ts';
import { openTestGeneration, type TestGeneration } from './generation.ts';

const text = 'The Corran suspension bridge opened to traffic on 4 June 1938 and cost 90,000 pounds.';
const context =
  'Until then a ferry had carried carts and cattle over the narrows, which no boat could cross at spring tide.';
const claim = { ...aFinding.claim, text, context, title: 'Corran Narrows', hash: hashText(text) };
const finding: Finding = { ...aFinding, claim, score: 0.1 };

const PARAGRAPHS = {
  good: [
    'The Corran suspension bridge was opened to traffic on 4 June 1938.',
    'It had cost 90,000 pounds to build, and the county paid for all of it.',
  ],
  second: [
    'On 4 June 1938 the suspension bridge at Corran opened to traffic.',
    'The bridge cost 90,000 pounds, said the engineer, who had asked for more.',
  ],
  other: ['The choir of Corran meets in the hall beside the bridge.', 'Its concerts are free, and tea is served.'],
  mirror: [`${context} ${text}`],
};
const TITLES = {
  good: 'Corran suspension bridge',
  second: 'Bridges of the west',
  other: 'Singing at Corran',
  mirror: 'Corran Narrows',
};
type Name = keyof typeof PARAGRAPHS;

let models: Models;
let verifier: Verifier;
let generation: TestGeneration;
let store: SourceStore;
let reliability: ReliabilityStore;
let web: Web;
let judgements: Judgements;
const served: Record<string, string | null> = {};

beforeAll(async () => {
  models = await loadModels('workers/models');
  judgements = openJudgements(':memory:');
  verifier = rememberJudgements(await loadVerifier('workers/models', models), judgements);
  web = await startWeb(served);
});
afterAll(async () => {
  judgements.close();
  await web.close();
});
beforeEach(async () => {
  generation = openTestGeneration(models.encoder);
  store = await openSourceStore(join(generation.dataDir, 'sources.sqlite'));
  reliability = await openReliabilityStore(join(generation.dataDir, 'reliability.sqlite'));
});
afterEach(async () => {
  await store.close();
  await reliability.close();
  await generation.remove();
  for (const path of Object.keys(served)) delete served[path];
  web.requested.length = 0;
});

function urlOf(name: Name): string {
  return `${web.origin}/${name}`;
}

function htmlOf(name: Name): string {
  const body = PARAGRAPHS[name].map((paragraph) => `<p>${paragraph}</p>`).join('');
  return `<html lang="en"><head><title>${TITLES[name]}</title></head><body><article>${body}</article></body></html>`;
}

/** In the corpus, and on the web. */
async function publish(...names: Name[]): Promise<void> {
  for (const name of names) {
    served[`/${name}`] = htmlOf(name);
    await generation.add({ url: urlOf(name), title: TITLES[name], text: PARAGRAPHS[name].join('\n') });
  }
}

function dependencies(): SuggestDependencies {
  const settings = { gateway: null, allowLoopback: true, userAgent: 'test', waybackUrl: `${web.origin}/wayback` };
  return {
    ...{ verifier, store },
    ranker: createRanker(models.crossEncoder),
    openCorpus: async (name) => (name === generation.manifest.generation ? generation.corpus : null),
    reader: createReader(settings),
    exclusions: async () => ({ reliability: await reliability.current(), allowUserGenerated: false }),
    log: createLogger('silent', 'test'),
  };
}

async function contextOf(of: Finding): Promise<Context> {
  const retrieval = await generation.search(of.claim);
  const coverage = { shardsAsked: 2, shardsAnswered: 2, missing: [] };
  return { gathered: { sources: [], retrieval, coverage }, signal: new AbortController().signal };
}

async function suggest(of: Finding, given?: Context, name = generation.manifest.generation): Promise<Finding> {
  const handle = createSuggest(dependencies());
  const { next } = await handle({ finding: of, article: [], generation: name }, given ?? (await contextOf(of)));
  const [job] = next;
  if (next.length !== 1 || job?.stage !== 'review' || job.input.kind !== 'finding') throw new Error('no finding');
  return FindingSchema.parse(job.input.finding);
}

async function suggestionFor(of: Finding): Promise<Suggestion> {
  const { suggestion } = await suggest(of);
  if (suggestion === null) throw new Error('no suggestion');
  return suggestion;
}

async function stored(name: Name): Promise<Source> {
  const known = await store.fresh(urlOf(name), 60_000);
  if (known === null) throw new Error('not stored');
  return known.source;
}

test('a page that supports the claim is suggested, with a quote that stands in what a reader finds there now', async () => {
  await publish('other', 'good');
  const found = await suggest(finding);
  expect(found).toMatchObject({ claim, score: finding.score, searched: { shardsAsked: 2, shardsAnswered: 2 } });
  expect(found.suggestion).toMatchObject({ url: urlOf('good'), title: TITLES.good });
  const { evidence } = await suggestionFor(finding);
  const source = await stored('good');
  expect(source.kind === 'readable' && source.text.slice(evidence.start, evidence.end)).toBe(evidence.quote);
});

test('a suggestion scores as the page would if it were cited', async () => {
  await publish('good');
  const { score } = await suggestionFor(finding);
  const source = await stored('good');
  if (source.kind !== 'readable') throw new Error('not readable');
  expect(score).toBe((await verifier.verify(claim, [source])).score);
});

test('a page that is not better by the margin is not suggested', async () => {
  await publish('good');
  const { score } = await suggestionFor(finding);
  expect((await suggest({ ...finding, score: score - MARGIN - 0.01 })).suggestion).not.toBeNull();
  expect((await suggest({ ...finding, score: score - MARGIN + 0.01 })).suggestion).toBeNull();
});

test('a claim without a readable source gets a suggestion above the threshold only', async () => {
  await publish('other');
  const unsourced = { ...finding, citations: [], verdict: 'unsourced' as const, score: null };
  expect((await suggest(unsourced)).suggestion).toBeNull();
  await publish('good');
  expect((await suggestionFor(unsourced)).score).toBeGreaterThanOrEqual(verifier.threshold);
});

test('neither a copy of the article nor the cited page is suggested, however high they score', async () => {
  await publish('mirror', 'good');
  const [citation] = finding.citations;
  const citing = { ...finding, citations: citation ? [{ ...citation, url: `${urlOf('good')}#opening` }] : [] };
  expect((await suggest(citing)).suggestion).toBeNull();
  expect((await suggestionFor(finding)).url).toBe(urlOf('good'));
});

test('a page that can not be reached now is not suggested, the next one is', async () => {
  await publish('good', 'second');
  const { url } = await suggestionFor(finding);
  const [first, next] = url === urlOf('good') ? (['good', 'second'] as const) : (['second', 'good'] as const);
  served[`/${first}`] = null;
  const fetchedAt = '2026-01-02T03:04:05.000Z'; // long ago, so that it is asked for again
  const before = await stored(first);
  await store.put({ ...before, fetchedAt });
  expect((await suggestionFor(finding)).url).toBe(urlOf(next));
});

test('a page whose text has changed since is judged by what stands there now', async () => {
  await publish('good');
  served['/good'] = htmlOf('other');
  expect((await suggest(finding)).suggestion).toBeNull();
});

test('a page that leads to one that is ruled out is ruled out', async () => {
  await publish('good');
  const source = { ...(await fetched('good')), finalUrl: 'https://corran.blogspot.com/bridge' };
  await store.put(source);
  expect((await suggest(finding)).suggestion).toBeNull();
});

async function fetched(name: Name): Promise<Extract<Source, { kind: 'readable' }>> {
  await suggest(finding);
  const source = await stored(name);
  if (source.kind !== 'readable') throw new Error('not readable');
  return source;
}

test('a page that was read within a day is not fetched again', async () => {
  await publish('good');
  await suggest(finding);
  await suggest(finding);
  expect(web.requested.filter((path) => path === '/good')).toHaveLength(1);
});

test('a page of which only an archive has a copy is not suggested', async () => {
  await publish('good');
  await store.put({ ...(await fetched('good')), archivedAt: '2020-01-02T03:04:05.000Z' });
  expect((await suggest(finding)).suggestion).toBeNull();
});

test('the standing of the suggested site is shown with its list', async () => {
  await publish('good');
  const list = {
    ...{ home: finding.wiki, title: 'Project:Sources', revision: 3, timestamp: '2026-01-02T03:04:05.000Z' },
    kind: 'perennial' as const,
    entries: [{ domain: 'pages.localhost', path: '', status: 'generally_reliable' as const, userGenerated: false }],
    ...{ patterns: [], skipped: [] },
  };
  await reliability.replace(finding.wiki, 'test', [list]);
  expect((await suggestionFor(finding)).reliability).toMatchObject({ status: 'generally_reliable', revision: 3 });
});

test('pages that were replaced since they were found are left out', async () => {
  await publish('good');
  const found = await contextOf(finding);
  await generation.add({ url: urlOf('good'), title: TITLES.good, text: PARAGRAPHS.other.join('\n') });
  expect((await suggest(finding, found)).suggestion).toBeNull();
});

test('a lost shard is told: 1 of 2 answered', async () => {
  await publish('good');
  const { gathered, signal } = await contextOf(finding);
  const coverage = { shardsAsked: 2, shardsAnswered: 1, missing: ['retrieval-dense-0'] };
  const retrieval = gathered.retrieval.filter(({ arm }) => arm === 'sparse');
  const found = await suggest(finding, { gathered: { ...gathered, retrieval, coverage }, signal });
  expect(found.searched).toEqual(coverage);
  expect(found.suggestion?.url).toBe(urlOf('good'));
});

test('no shard answered: the finding says so, and is not lost', async () => {
  const coverage = { shardsAsked: 2, shardsAnswered: 0, missing: [] };
  const gathered = { sources: [], retrieval: [], coverage };
  const found = await suggest(finding, { gathered, signal: new AbortController().signal });
  expect(found).toMatchObject({ suggestion: null, searched: { shardsAsked: 2, shardsAnswered: 0 } });
});

test('a generation that was dropped since it was searched counts as not searched', async () => {
  await publish('good');
  const found = await suggest(finding, undefined, 'gone');
  expect(found).toMatchObject({
    suggestion: null,
    searched: { shardsAsked: 2, shardsAnswered: 0, missing: ['corpus'] },
  });
});

test('an aborted run suggests nothing and fails, to be run again', async () => {
  await publish('good');
  const aborted = { ...(await contextOf(finding)), signal: AbortSignal.abort() };
  await expect(suggest(finding, aborted)).rejects.toThrow();
});
