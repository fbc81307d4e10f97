import type { Citation, Claim, Source } from '../../../shared/citation.ts';
import { hashCitation, hashClaim, hashText } from '../../../shared/hash.ts';
import { type Answer, type Input, type Next, stages } from '../../../shared/pipeline.ts';
import { openSourceStore } from '../../../workers/source/store.ts';
import { loadVerifier } from '../../../workers/verification/verifier.ts';
import { createVerify } from '../../../workers/verification/verify.ts';

const verifier = await loadVerifier('workers/models');
const store = await openSourceStore(':memory:');
const generations = { current: async () => ({ generation: 'second', shards: [{ shard: 0 }, { shard: 3 }] }) };
const said = {
  status: 'no_consensus',
  wiki: 'wiki.example',
  list: 'Sources',
  revision: 4,
  date: '2026-05-03',
} as const;
const lists = { reliability: (wiki: string, url: string) => (url === cite('listed').url ? { ...said, wiki } : null) };
const reliability = {
  current: async () => lists,
};
const verify = createVerify({ judges: { verifier, secondOpinion: null }, store, generations, reliability });
afterAll(() => store.close());

/** Fingerprint of the article, handed on so that no copy of it is suggested. */
const ARTICLE = [hashText('a sentence of the article')];
const FERRY = 'The ferry Alcyone was launched at Brennhaven in 1931. It burned 14 tons of coal a day.';
const SUPPORTED = 'The ferry Alcyone was launched at Brennhaven in 1931.';

test('a supported claim goes to review and nothing is searched', async () => {
  const next = await run({ text: SUPPORTED, citations: [cite('a')], answers: [await read('a', FERRY)] });
  expect(next.map(({ stage }) => stage)).toEqual(['review']);
  expect(findingOf(next)).toMatchObject({
    verdict: 'supported',
    reason: null,
    model: verifier.version,
    suggestion: null,
    searched: null,
    citations: [{ url: 'https://a.example/', readUrl: 'https://a.example/', reason: null }],
  });
});

test('a low-scoring claim opens a search in the sparse arm and every dense shard', async () => {
  const text = 'The museum sold 2,000 tickets in May 2003.';
  const next = await run({ text, citations: [cite('a')], answers: [await read('a', FERRY)] });
  const search = next.find((job) => job.stage === 'suggestion');
  expect(search?.children?.map(({ stage }) => stage)).toEqual([
    'retrieval-sparse',
    'retrieval-dense',
    'retrieval-dense',
  ]);
  expect(search?.input).toEqual({ finding: findingOf(next), article: ARTICLE, generation: 'second' });
});

test('all arms of a search are asked for the generation that was current when it began', async () => {
  const next = await run({ text: SUPPORTED, citations: [], answers: [] });
  const search = next.find((job) => job.stage === 'suggestion');
  expect(search?.children?.map(({ input }) => input)).toMatchObject([
    { generation: 'second' },
    { generation: 'second', shard: 0 },
    { generation: 'second', shard: 3 },
  ]);
});

test('a claim that has no corpus to be searched in goes to review as not searched', async () => {
  const handler = createVerify({
    judges: { verifier, secondOpinion: null },
    store,
    generations: { current: async () => null },
    reliability,
  });
  const { next } = await handler(inputOf(SUPPORTED, []), contextOf([]));
  expect(next.map(({ stage }) => stage)).toEqual(['review']);
  expect(findingOf(next)?.searched).toBeNull();
});

test('a supported claim is searched where a worklist asks for it', async () => {
  const answers = [await read('a', FERRY)];
  const next = await run({ text: SUPPORTED, citations: [cite('a')], answers, suggest: 'always' });
  expect(next.map(({ stage }) => stage)).toEqual(['review', 'suggestion']);
});

test('a cited source comes with what the wiki’s lists say of its site, which changes no score', async () => {
  const answers = [await read('a', FERRY), await read('listed', FERRY)];
  const citations = [cite('a'), cite('listed')];
  const [other, listed] = findingOf(await run({ text: SUPPORTED, citations, answers }))?.citations ?? [];
  expect([other?.reliability, listed?.reliability?.status]).toEqual([null, 'no_consensus']);
  expect(listed?.score).toBe(other?.score);
});

test('a claim without citation is unsourced and searched', async () => {
  const next = await run({ text: SUPPORTED, citations: [], answers: [] });
  expect(findingOf(next)).toMatchObject({ verdict: 'unsourced', score: null, reason: null, evidence: null });
  expect(next.map(({ stage }) => stage)).toEqual(['review', 'suggestion']);
});

test('what no page can settle is not searched', async () => {
  const text = 'The museum of Brennhaven is the most beautiful in the world.';
  const next = await run({ text, citations: [cite('a')], answers: [await read('a', FERRY)] });
  expect(findingOf(next)).toMatchObject({ verdict: 'uncheckable', uncheckable: 'opinion' });
  expect(next.map(({ stage }) => stage)).toEqual(['review']);
});

test('a dead link is unavailable, not unsupported', async () => {
  const answers = [{ citationHash: cite('a').hash, sourceKey: null, reason: 'dead' as const }];
  const next = await run({ text: SUPPORTED, citations: [cite('a')], answers });
  expect(findingOf(next)).toMatchObject({ verdict: 'unavailable', score: null, reason: 'dead' });
});

test('a source whose job was lost is unreachable', async () => {
  const next = await run({ text: SUPPORTED, citations: [cite('a')], answers: [] });
  expect(findingOf(next)).toMatchObject({ verdict: 'unavailable', reason: 'unreachable' });
});

test('an unread source beside one that supports does not count against the claim', async () => {
  const answers = [
    { citationHash: cite('b').hash, sourceKey: null, reason: 'paywall' as const },
    await read('a', FERRY),
  ];
  const next = await run({ text: SUPPORTED, citations: [cite('b'), cite('a')], answers });
  expect(findingOf(next)).toMatchObject({
    verdict: 'supported',
    reason: null,
    citations: [
      { reason: 'paywall', score: null, readUrl: null },
      { reason: null, score: expect.any(Number) },
    ],
  });
});

test('every job that comes next is one that its stage accepts', async () => {
  const next = await run({
    text: SUPPORTED,
    citations: [cite('a')],
    answers: [await read('a', FERRY)],
    suggest: 'always',
  });
  for (const job of [...next, ...next.flatMap(({ children = [] }) => children)]) {
    expect(stages[job.stage].input.safeParse(job.input).error).toBeUndefined();
  }
});

test('a model that fails ends the job with an error, not with a verdict', async () => {
  const broken = { ...verifier, verify: () => Promise.reject(new Error('no finite score')) };
  const handler = createVerify({ judges: { verifier: broken, secondOpinion: null }, store, generations, reliability });
  const answers = [await read('a', FERRY)];
  await expect(handler(inputOf(SUPPORTED, [cite('a')]), contextOf(answers))).rejects.toThrow('no finite score');
});

async function run(asked: {
  text: string;
  citations: Citation[];
  answers: Answer<'sources'>[];
  suggest?: 'always';
}): Promise<Next[]> {
  const input = inputOf(asked.text, asked.citations);
  const suggest = asked.suggest ?? input.suggest;
  return (await verify({ ...input, suggest }, contextOf(asked.answers))).next;
}

function inputOf(text: string, citations: Citation[]): Input<'verification'> {
  const page = { id: 7, title: 'Alcyone (ferry)' };
  const place = { wiki: 'wiki.example', page, revision: 3, article: ARTICLE };
  return { ...place, claim: claimOf(text), citations, suggest: 'below_threshold' };
}

function contextOf(sources: Answer<'sources'>[]) {
  const coverage = { shardsAsked: sources.length, shardsAnswered: sources.length, missing: [] };
  return { gathered: { sources, retrieval: [], coverage }, signal: new AbortController().signal };
}

function findingOf(next: Next[]) {
  const review = next.find((job) => job.stage === 'review');
  return review?.input.kind === 'finding' ? review.input.finding : null;
}

function claimOf(text: string): Claim {
  const place = { context: '', section: [], title: 'Alcyone (ferry)' };
  return { hash: hashClaim(text), text, markerOffset: text.length, ...place, kind: 'sentence', trigger: null };
}

function cite(host: string): Citation {
  const url = `https://${host}.example/`;
  const template = { archiveUrl: null, urlStatus: null, accessDate: null, name: null };
  return { hash: hashCitation({ url, text: '' }), url, title: null, text: host, form: 'ref', ...template };
}

/** Puts a page into the store, as the source stage does. */
async function read(host: string, text: string): Promise<Answer<'sources'>> {
  const { hash, url } = cite(host);
  const source: Source = {
    kind: 'readable',
    url: url ?? '',
    finalUrl: url ?? '',
    title: 'Ferries',
    text,
    contentHash: hashText(text),
    type: 'html',
    language: 'en',
    fetchedAt: '2026-01-01T00:00:00Z',
    archivedAt: null,
  };
  return { citationHash: hash, sourceKey: await store.put(source), reason: null };
}
