/** One valid example of each noun, for tests that need any. */
import type { Citation, Claim, Finding } from '../../shared/citation.ts';
import { hashCitation, hashClaim } from '../../shared/hash.ts';

const text = 'The mill at Orrin Bay closed in 1931.';

export const aClaim: Claim = {
  hash: hashClaim(text),
  text,
  markerOffset: text.length,
  context: 'It was built of stone.',
  section: ['History'],
  title: 'Orrin Bay',
  kind: 'sentence',
  trigger: null,
};

export const aCitation: Citation = {
  hash: hashCitation({ url: 'https://orrin.example/mill', text: '' }),
  url: 'https://orrin.example/mill',
  archiveUrl: null,
  urlStatus: null,
  title: 'The mill',
  text: 'The mill. Orrin Archive.',
  accessDate: null,
  name: null,
  form: 'ref',
};

export const aFinding: Finding = {
  wiki: 'wiki.example:8143',
  page: { id: 7, title: 'Orrin Bay' },
  revision: 12,
  claim: aClaim,
  citations: [{ ...aCitation, score: 0.2, reason: null, readUrl: aCitation.url, archivedAt: null, reliability: null }],
  verdict: 'not_supported',
  score: 0.2,
  evidence: null,
  failed: 0.7,
  missing: [],
  mismatches: [],
  uncheckable: null,
  secondOpinion: null,
  reason: null,
  model: 'test-1',
  suggestion: null,
  searched: null,
};
