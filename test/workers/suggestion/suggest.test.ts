import type { Finding, Suggestion } from '../../../shared/citation.ts';
import { Finding as FindingSchema } from '../../../shared/citation.ts';
import { hashText } from '../../../shared/hash.ts';
import type { Answer, Context } from '../../../shared/pipeline.ts';
import { createDense } from '../../../workers/retrieval/dense/retrieve.ts';
import { createSparse } from '../../../workers/retrieval/sparse/retrieve.ts';
import { createSuggest, MARGIN } from '../../../workers/suggestion/suggest.ts';
import { type Encoder, loadEncoder } from '../../../workers/verification/encoder.ts';
import { loadVerifier, type Verifier } from '../../../workers/verification/verifier.ts';
import { aFinding } from '../../support/examples.ts';
import { aContext, aPage, type Installation, openInstallation } from '../retrieval/installation.ts';

let encoder: Encoder;
let verifier: Verifier;
let installed: Installation;
beforeAll(async () => {
  encoder = await loadEncoder('workers/models');
  verifier = await loadVerifier('workers/models');
});
beforeEach(() => {
  installed = openInstallation(encoder);
});
afterEach(() => installed.remove());

const text = 'The Corran suspension bridge opened to traffic on 4 June 1938 and cost 90,000 pounds.';
const context =
  'Until then a ferry had carried carts and cattle over the narrows, which no boat could cross at spring tide.';
const claim = { ...aFinding.claim, text, context, title: 'Corran Narrows', hash: hashText(text) };
const finding: Finding = { ...aFinding, claim, score: 0.1 };

const good = aPage(
  'https://bridges.example/corran',
  'Corran suspension bridge',
  'The Corran suspension bridge was opened to traffic on 4 June 1938.\nIt had cost 90,000 pounds to build.',
);
const other = aPage(
  'https://choirs.example/corran',
  'Singing at Corran',
  'The choir of Corran meets in the hall beside the bridge.\nIts concerts are free.',
);
const mirror = aPage('https://mirror.example/Corran_Narrows', 'Corran Narrows', `${context} ${text}`);

async function gather(of: Finding): Promise<Answer<'retrieval-sparse'>[]> {
  const input = { wiki: of.wiki, page: of.page, revision: of.revision, claim: of.claim };
  const sparse = createSparse({ index: installed.sparse });
  const dense = createDense({ index: installed.dense, encoder });
  const answers = [await sparse(input, aContext()), await dense({ ...input, shard: 0 }, aContext())];
  return answers.map(({ answer }) => answer);
}

async function suggest(of: Finding, context?: Context): Promise<Finding> {
  const handle = createSuggest({ verifier, corpus: installed.corpus, store: installed.store });
  const { next } = await handle({ finding: of, article: [] }, context ?? aContext(await gather(of)));
  const [job] = next;
  if (next.length !== 1 || job?.stage !== 'review' || job.input.kind !== 'finding') throw new Error('no finding');
  return FindingSchema.parse(job.input.finding);
}

async function suggestionFor(of: Finding): Promise<Suggestion> {
  const { suggestion } = await suggest(of);
  if (suggestion === null) throw new Error('no suggestion');
  return suggestion;
}

test('a page that supports the claim is suggested, with a quote that stands in it', async () => {
  for (const page of [other, good]) await installed.add(page);
  const found = await suggest(finding);
  expect(found).toMatchObject({ claim, score: finding.score, searched: { shardsAsked: 2, shardsAnswered: 2 } });
  expect(found.suggestion).toMatchObject({ url: good.url, title: good.title });
  const { evidence } = await suggestionFor(finding);
  expect(good.text.slice(evidence.start, evidence.end)).toBe(evidence.quote);
});

test('a suggestion scores as the page would if it were cited', async () => {
  await installed.add(good);
  const { score } = await verifier.verify(claim, [good]);
  expect((await suggestionFor(finding)).score).toBe(score);
});

test('a page that is not better by the margin is not suggested', async () => {
  await installed.add(good);
  const { score } = await suggestionFor(finding);
  expect((await suggest({ ...finding, score: score - MARGIN - 0.01 })).suggestion).not.toBeNull();
  expect((await suggest({ ...finding, score: score - MARGIN + 0.01 })).suggestion).toBeNull();
});

test('a claim without a readable source gets a suggestion above the threshold only', async () => {
  await installed.add(other);
  const unsourced = { ...finding, citations: [], verdict: 'unsourced' as const, score: null };
  expect((await suggest(unsourced)).suggestion).toBeNull();
  await installed.add(good);
  expect((await suggestionFor(unsourced)).score).toBeGreaterThanOrEqual(verifier.threshold);
});

test('neither a copy of the article nor the cited page is suggested, however high they score', async () => {
  await installed.add(mirror);
  await installed.add(good);
  const [citation] = finding.citations;
  const citing = { ...finding, citations: citation ? [{ ...citation, url: `${good.url}#opening` }] : [] };
  expect((await suggest(citing)).suggestion).toBeNull();
  expect((await suggestionFor(finding)).url).toBe(good.url);
});

test('a page that can no longer be read is not suggested', async () => {
  await installed.add(good);
  const fetchedAt = good.fetchedAt;
  await installed.store.put({ kind: 'unavailable', url: good.url, reason: 'dead', detail: 'HTTP 404', fetchedAt });
  expect((await suggest(finding)).suggestion).toBeNull();
});

test('passages that were replaced since they were found are left out', async () => {
  await installed.add(good);
  const retrieval = await gather(finding);
  await installed.add(aPage(good.url, good.title, other.text));
  const found = await suggest(finding, aContext(retrieval));
  expect(found.suggestion).toBeNull();
});

test('a lost shard is told: 1 of 2 answered', async () => {
  await installed.add(good);
  const [sparse] = await gather(finding);
  const found = await suggest(finding, aContext(sparse === undefined ? [] : [sparse], 2));
  expect(found.searched).toEqual({ shardsAsked: 2, shardsAnswered: 1 });
  expect(found.suggestion?.url).toBe(good.url);
});

test('no shard answered: the finding says so, and is not lost', async () => {
  const found = await suggest(finding, aContext([], 2));
  expect(found).toMatchObject({ suggestion: null, searched: { shardsAsked: 2, shardsAnswered: 0 } });
});

test('an aborted run suggests nothing and fails, to be run again', async () => {
  await installed.add(good);
  const context = { ...aContext(await gather(finding)), signal: AbortSignal.abort() };
  await expect(suggest(finding, context)).rejects.toThrow();
});
