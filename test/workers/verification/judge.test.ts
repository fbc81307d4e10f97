import { bareCitation } from '../../../shared/bare-citation.ts';
import type { Citation, Claim, ReadableSource } from '../../../shared/citation.ts';
import { hashClaim, hashText } from '../../../shared/hash.ts';
import { createLogger } from '../../../shared/logger.ts';
import { type Judges, judge } from '../../../workers/verification/judge.ts';
import { createProcessBudget } from '../../../workers/verification/second-opinion/budget.ts';
import { createSecondOpinions } from '../../../workers/verification/second-opinion/second-opinions.ts';
import { loadVerifier } from '../../../workers/verification/verifier.ts';
import { type ChatServer, completion, startChatServer } from './second-opinion/chat-server.ts';

const verifier = await loadVerifier('workers/models');
const alone: Judges = { verifier, secondOpinion: null };
const FERRY = 'The ferry Alcyone was launched at Brennhaven in 1931. It burned 14 tons of coal a day.';
const GERMAN =
  'Die Fähre Alcyone lief im Jahr 1931 in Brennhaven vom Stapel und verbrannte jeden Tag vierzehn Tonnen Kohle, bevor sie ' +
  'nach dem Krieg auf Diesel umgebaut und schließlich an eine Reederei im Süden verkauft wurde.';
const LAUNCHED = 'The ferry Alcyone was launched at Brennhaven in 1931.';
const GERMAN_CLAIM = 'Die Fähre wurde nach dem Krieg auf Diesel umgebaut und an eine Reederei im Süden verkauft.';
const { signal } = new AbortController();

test('a claim that is supported misses no words and has no mismatch', async () => {
  const judged = await ask(LAUNCHED, [FERRY]);
  expect(judged).toMatchObject({ verdict: 'supported', missing: [], mismatches: [], uncheckable: null });
  expect(judged.failed).toBeLessThan(0.5);
});

test('a page in a language in which the engine was not measured is not judged', async () => {
  expect(await ask(LAUNCHED, [GERMAN])).toMatchObject({
    verdict: 'unsupported_language',
    score: null,
    failed: null,
    evidence: null,
    reason: null,
    citations: [{ reason: 'unsupported_language', score: null }],
  });
});

test('a claim in such a language is not judged either, whatever the page is in', async () => {
  expect(await ask(GERMAN_CLAIM, [FERRY])).toMatchObject({ verdict: 'unsupported_language', score: null });
});

test('beside a page that can be judged it does not count against the claim', async () => {
  const judged = await ask(LAUNCHED, [GERMAN, FERRY]);
  expect(judged).toMatchObject({
    verdict: 'supported',
    citations: [
      { reason: 'unsupported_language', score: null },
      { reason: null, score: expect.any(Number) },
    ],
  });
});

test('without citations a claim is unsourced, in any language', async () => {
  expect(await ask(GERMAN_CLAIM, [])).toMatchObject({ verdict: 'unsourced' });
});

test('a claim of a number that the page gives otherwise says where both stand', async () => {
  const claim = 'The ferry Alcyone burned 41 tons of coal a day.';
  const { verdict, mismatches } = await ask(claim, [FERRY]);
  expect(verdict).not.toBe('supported');
  expect(mismatches.map((found) => [claim.slice(found.claim.start, found.claim.end), found.page.quote])).toEqual([
    [expect.stringContaining('41'), expect.stringContaining('14 tons')],
  ]);
});

describe('a source of many pages', () => {
  /** What is cited stands on a page that shares fewer words with the claim than all others. */
  const other = 'The ferry Alcyone came to Brennhaven in the year 1931, and each day it left again with coal and mail.';
  const pages = Array.from({ length: 30 }, (_, at) =>
    at === 20 ? 'She slid down the ways at last, and was afloat.' : Array(6).fill(other).join(' '),
  );
  const starts = pages.map((_, at) => ({
    start: pages.slice(0, at).join('\n').length + (at === 0 ? 0 : 1),
    label: '',
  }));
  const source = { ...sourceOf(pages.join('\n'), 0), type: 'pdf' as const, pages: starts };
  const judgePages = (cited: Partial<Citation>, read: ReadableSource = source) => {
    const citation = { ...bareCitation('https://example.org/0', 'source'), ...cited };
    return judge({ claim: claimOf(LAUNCHED), citations: [citation] }, [read], alone, signal);
  };
  const asked: string[] = [];
  const listening: Judges = {
    verifier: {
      ...verifier,
      verify: (claim, sources) => {
        asked.push(JSON.stringify(sources.map(({ cited }) => cited)));
        return verifier.verify(claim, sources);
      },
    },
    secondOpinion: null,
  };

  test('the page that is cited is handed to the engine, by its name or by the address', async () => {
    const span = [{ start: starts[19]?.start, end: starts[22]?.start }];
    for (const cited of [{ pages: '21' }, { url: 'https://example.org/0#page=21' }]) {
      const citation = { ...bareCitation('https://example.org/0', 'source'), ...cited };
      await judge({ claim: claimOf(LAUNCHED), citations: [citation] }, [source], listening, signal);
      expect(asked.pop()).toBe(JSON.stringify([span]));
    }
  });

  test('pages that the document does not have change nothing', async () => {
    const plain = await judgePages({});
    const { citations, ...elsewhere } = await judgePages({ pages: '400' });
    expect(elsewhere).toEqual({ ...plain, citations: undefined });
    expect(citations[0]?.score).toBe(plain.citations[0]?.score);
  });

  test('the quote says on which page it stands; that of a text without pages does not', async () => {
    const labelled = starts.map(({ start }, at) => ({ start, label: `A-${at + 1}` }));
    expect((await judgePages({})).evidence?.page).toMatch(/^\d+$/);
    expect((await judgePages({}, { ...source, pages: labelled })).evidence?.page).toMatch(/^A-\d+$/);
    expect((await ask(LAUNCHED, [FERRY])).evidence).not.toHaveProperty('page');
  });

  test('prose without pages is judged the same whatever is cited of it', async () => {
    const { pages: _, ...prose } = source;
    const [named, unnamed] = [await judgePages({ pages: '21' }, prose), await judgePages({}, prose)];
    expect(named).toEqual({ ...unnamed, citations: [{ ...unnamed.citations[0], pages: '21' }] });
  });
});

describe('with a second opinion', () => {
  let server: ChatServer;
  afterEach(() => server.close());

  async function judges(margin: number): Promise<Judges> {
    server = await startChatServer(completion({ quotes: [], verdict: 'not_supported' }));
    const settings = { url: server.url, model: 'judge-7b', key: null, margin, timeoutMs: 5000, daily: 10 };
    const log = createLogger('silent', 'test');
    const opinions = createSecondOpinions(settings, { budget: createProcessBudget(settings), log });
    return { verifier, secondOpinion: { opinions, margin } };
  }

  test('it is asked for a score near the threshold and kept beside ours', async () => {
    const judged = await ask(LAUNCHED, [FERRY], await judges(1));
    expect(judged).toMatchObject({ verdict: 'supported', secondOpinion: { answer: 'not_supported' } });
  });

  test('it is not asked where the score is clear', async () => {
    expect(await ask(LAUNCHED, [FERRY], await judges(0))).toMatchObject({ secondOpinion: null });
    expect(server.received).toEqual([]);
  });

  test('nothing of a text that a person gave in private is sent to another server', async () => {
    const citations = [bareCitation('https://example.org/0', 'source 0')];
    const given: ReadableSource = { ...sourceOf(FERRY, 0), given: true };
    const judged = await judge({ claim: claimOf(LAUNCHED), citations }, [given], await judges(1), signal);
    expect(judged).toMatchObject({ verdict: 'supported', secondOpinion: null, citations: [{ given: true }] });
    expect(judged.evidence?.passage).toBe(judged.evidence?.quote);
    expect(server.received).toEqual([]);
  });

  test('it is not asked about a page in another language', async () => {
    expect(await ask(LAUNCHED, [GERMAN], await judges(1))).toMatchObject({ secondOpinion: null });
    expect(server.received).toEqual([]);
  });
});

function ask(text: string, pages: string[], judges = alone) {
  const citations = pages.map((_, at) => bareCitation(`https://example.org/${at}`, `source ${at}`));
  return judge({ claim: claimOf(text), citations }, pages.map(sourceOf), judges, signal);
}

function claimOf(text: string): Claim {
  const place = { context: '', section: [], title: 'Alcyone (ferry)' };
  return { hash: hashClaim(text), text, markerOffset: text.length, ...place, kind: 'sentence', trigger: null };
}

function sourceOf(text: string, at: number): ReadableSource {
  const url = `https://example.org/${at}`;
  const read = { title: '', text, contentHash: hashText(text), type: 'html' as const, language: '' };
  return { kind: 'readable', url, finalUrl: url, ...read, fetchedAt: new Date().toISOString(), archivedAt: null };
}
