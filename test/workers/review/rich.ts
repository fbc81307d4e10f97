/** Findings with all that a screen may show: in a text that runs from left to right, and in one that doesn't. */
import type { Finding, Mismatch } from '../../../shared/citation.ts';
import { hashClaim } from '../../../shared/hash.ts';
import { aCitation, aFinding } from '../../support/examples.ts';

const CLAIM =
  'The tide mill at Orrin Bay, built by Edda Marsh in 1872, ground 40 tonnes of oats a week until it closed in 1931.';
const PASSAGE =
  'Edda Marsh, who owned two quarries, put up the tide mill of granite from her own pits. Its three wheels turned from 1872 on, and in a good week it ground 25 tonnes of oats. After the storm of 1929 the sluice was never mended; the mill shut in March 1934 and burned down the year after.';
const QUOTE = 'the mill shut in March 1934';
const BETTER =
  'Orrin Bay kept its tide mill longer than its harbour. The accounts show 40 tonnes of oats a week in its best years. The mill closed in 1931, when the last miller left for the mainland.';

export function rich(changes: Partial<Finding> = {}): Finding {
  const url = 'https://orrin.example/mill';
  const page = { url, title: 'The mill' };
  const at = (text: string, words: string) => ({ start: text.indexOf(words), end: text.indexOf(words) + words.length });
  const differs = (code: Mismatch['code'], ours: string, theirs: string): Mismatch => ({
    code,
    claim: at(CLAIM, ours),
    page: { ...page, quote: theirs, ...at(PASSAGE, theirs) },
  });
  const better = { url: 'https://tides.example/mills/orrin', title: 'Mills that the tide drove' };
  return {
    ...aFinding,
    model: 'verifier-2',
    verdict: 'contradicted',
    score: 0.08,
    failed: 0.74,
    claim: {
      ...aFinding.claim,
      text: CLAIM,
      hash: hashClaim(CLAIM),
      markerOffset: CLAIM.length,
      context: 'Mills stood on both sides of the bay. The largest of them was driven by the tide.',
      section: ['History', 'Trades'],
    },
    evidence: { ...page, quote: QUOTE, ...at(PASSAGE, QUOTE), passage: PASSAGE },
    missing: [at(CLAIM, '40 tonnes'), at(CLAIM, 'in 1931')],
    mismatches: [differs('number', '40 tonnes', '25 tonnes'), differs('date', '1931', 'March 1934')],
    citations: [
      {
        ...aCitation,
        accessDate: '2019-04-02',
        archiveUrl: 'https://web.archive.org/web/20190403000000/https://orrin.example/mill',
        score: 0.08,
        reason: null,
        readUrl: url,
        archivedAt: null,
        fetchedAt: '2026-11-20T10:00:00.000Z',
        publishedAt: '2003-05-17',
        reliability: {
          status: 'no_consensus',
          wiki: aFinding.wiki,
          list: 'Project:Sources of the bay',
          revision: 31,
          date: '2026-05-03',
        },
      },
    ],
    searched: { shardsAsked: 8, shardsAnswered: 8, missing: [] },
    suggestion: {
      ...better,
      score: 0.91,
      fetchedAt: '2026-11-20T10:01:00.000Z',
      publishedAt: '2011-09-30',
      reliability: null,
      evidence: {
        ...better,
        quote: 'The mill closed in 1931, when the last miller left for the mainland.',
        start: 0,
        end: 68,
        passage: BETTER,
      },
    },
    ...changes,
  };
}

/** Hebrew and Arabic: an invented mill, and an invented book on it. */
export function rightToLeft(): Finding {
  const text = 'טחנת הגאות במפרץ אורין נבנתה בשנת 1872 ונסגרה בשנת 1931.';
  const passage = 'بنيت الطاحونة سنة 1872، وأغلقت أبوابها سنة 1934 بعد العاصفة.';
  const { evidence, claim, citations, suggestion, ...others } = rich({ mismatches: [], verdict: 'not_supported' });
  const quote = 'وأغلقت أبوابها سنة 1934';
  return {
    ...others,
    page: { id: 8, title: 'מפרץ אורין' },
    missing: [{ start: text.indexOf('1931'), end: text.indexOf('1931') + 4 }],
    claim: {
      ...claim,
      text,
      hash: hashClaim(text),
      markerOffset: text.length,
      context: 'הטחנות עמדו משני צדי המפרץ.',
      section: ['היסטוריה'],
    },
    citations: citations.map((citation) => ({ ...citation, title: 'طواحين المد والجزر' })),
    evidence: evidence && {
      ...evidence,
      quote,
      passage,
      start: passage.indexOf(quote),
      end: passage.indexOf(quote) + quote.length,
    },
    suggestion,
  };
}
