import { shownStages } from '../../gadget/check.ts';
import { createMessages } from '../../gadget/messages.ts';
import {
  editOf,
  initial,
  mismatchesOf,
  openRows,
  type Row,
  reduce,
  type State,
  shownRow,
  weakestCitation,
} from '../../gadget/state.ts';
import { toolText } from '../../gadget/tool-text.ts';
import {
  coverageText,
  listName,
  mismatchText,
  missingText,
  scoreText,
  standingText,
  verdictText,
} from '../../gadget/wording.ts';
import {
  type Finding,
  type Reliability,
  ReliabilityStatus,
  UnavailableReason,
  Verdict,
} from '../../shared/citation.ts';
import { aFinding } from '../support/examples.ts';

const msg = createMessages('en');
const row = (id: number, state: Row['state'] = 'open'): Row => ({
  id,
  state,
  closedBecause: state === 'open' ? null : 'changed',
  decision: null,
  finding: aFinding,
});
const agreed = reduce(initial, { type: 'agreed', isKept: true });
const answered = reduce(agreed, {
  type: 'answered',
  rows: [row(1), row(2)],
  coverage: { claims: 12, checked: 12 },
  summary: null,
  hasMore: false,
});

describe('findings', () => {
  test('one that closes stays in the panel, but asks for nobody any more', () => {
    const shown = reduce(answered, { type: 'open', what: 2 });
    const closed = reduce(shown, { type: 'changed', row: row(2, 'closed') });
    expect(openRows(closed)).toEqual([row(1)]);
    expect(shownRow(closed)).toEqual(row(2, 'closed'));
  });

  test('one that a person accepted waits to be mended', () => {
    const accepted = reduce(answered, { type: 'changed', row: row(2, 'accepted') });
    expect(openRows(accepted)).toHaveLength(2);
  });

  test('another row than one of the page changes nothing', () => {
    expect(reduce(answered, { type: 'changed', row: row(9, 'closed') }).rows).toEqual(answered.rows);
  });

  test('the list, and a panel that is closed, show none', () => {
    expect(shownRow(reduce(answered, { type: 'open', what: 'list' }))).toBeNull();
    expect(shownRow(reduce(answered, { type: 'close' }))).toBeNull();
  });

  test('a service that stops answering takes nothing away', () => {
    const away = reduce(answered, { type: 'unreachable' });
    expect([away.service, away.rows]).toEqual(['unreachable', answered.rows]);
  });

  test('nothing of what the service said stays when the agreement is withdrawn, but the panel does', () => {
    const withdrawn = reduce(reduce(answered, { type: 'open', what: 'list' }), { type: 'withdrawn' });
    expect(withdrawn).toEqual({ ...initial, open: 'list' });
  });
});

describe('an edit', () => {
  test('is told where it belongs, also after another finding was shown', () => {
    const preparing = reduce(answered, { type: 'edit', edit: { step: 'preparing', id: 1, kind: 'tag' } });
    const elsewhere = reduce(preparing, { type: 'open', what: 2 });
    expect(editOf(elsewhere, 2)).toEqual({ step: 'idle' });
    expect(editOf(elsewhere, 1)).toEqual({ step: 'preparing', id: 1, kind: 'tag' });
  });
});

describe('the citation that gives way', () => {
  const [cited] = aFinding.citations;
  const citing = (...scores: (number | null)[]) => ({
    ...aFinding,
    citations: cited === undefined ? [] : scores.map((score) => ({ ...cited, score })),
  });

  test('is the one that supports least', () => {
    expect(weakestCitation(citing(0.4, 0.1, 0.3))?.score).toBe(0.1);
  });

  test('is none that could not be read, while another was', () => {
    expect(weakestCitation(citing(null, 0.4))?.score).toBe(0.4);
    expect(weakestCitation(citing(null))?.score).toBeNull();
  });

  test('is none where nothing is cited', () => {
    expect(weakestCitation(citing())).toBeNull();
  });
});

describe('what a reader is told', () => {
  const page = { kind: 'article', title: 'Orrin Bay' } as const;
  const say = (changes: Partial<State>) => [
    toolText({ state: { ...agreed, ...changes }, msg, page }),
    coverageText({ ...agreed, ...changes }, msg),
  ];

  test('of a page without findings how much was checked, never that there are no problems', () => {
    const all = say({ service: 'answered', coverage: { claims: 12, checked: 12 } });
    expect(all[0]).toBe('Sidelight: 12 of 12 claims checked');
    expect(all[1]).toContain('12 of 12 claims checked, 0 to look at.');
    expect(all.join()).not.toMatch(/no problem/i);
  });

  test('of a service that is away, that nothing is known', () => {
    expect(say({ service: 'unreachable' }).join()).toContain('nothing is known');
  });

  test('of a page that is not checked yet, that it is not', () => {
    expect(say({ service: 'answered' }).join()).toContain('has not checked this page yet');
  });

  test('of a source that was not read, why, and nothing about support', () => {
    expect(verdictText({ ...aFinding, verdict: 'unavailable', reason: 'script_shell' }, msg)).toBe(
      'The source could not be read: the page is empty without scripts.',
    );
    for (const reason of UnavailableReason.options)
      expect(scoreText({ score: null, reason }, msg)).not.toMatch(/support/);
  });

  test('of a page that says otherwise, that it seems so', () => {
    expect(verdictText({ ...aFinding, verdict: 'contradicted' }, msg)).toBe('The source seems to say otherwise.');
  });

  test.each([
    ['opinion', 'This is an opinion, which no source can settle.'],
    ['routine_calculation', 'This is a routine calculation, which needs no source.'],
    ['sky_is_blue', 'This is common knowledge, which needs no source.'],
    [null, 'No source can settle this.'],
  ] as const)('of what can’t be checked (%s), why', (uncheckable, words) => {
    expect(verdictText({ ...aFinding, verdict: 'uncheckable', uncheckable }, msg)).toBe(words);
  });

  test.each([
    [0.0002, 'under 1%'],
    [0.5, '50%'],
    [0.9999, 'over 99%'],
  ])('of a score of %d that nothing is certain', (score, words) => {
    expect(scoreText({ score, reason: null }, msg)).toBe(`${words} likely to support it`);
  });
});

describe('what differs', () => {
  const { text } = aFinding.claim;
  const span = (words: string) => ({ start: text.indexOf(words), end: text.indexOf(words) + words.length });
  const page = { quote: 'in March 1934', url: 'https://orrin.example/mill', title: 'The mill', start: 9, end: 22 };
  const found = (verdict: Verdict): Finding => ({
    ...aFinding,
    verdict,
    missing: [span('at Orrin Bay'), span('1931')],
    mismatches: [{ code: 'date', claim: span('1931'), page }],
  });
  const said = (finding: Finding) => [
    missingText(finding, msg),
    ...mismatchesOf(finding).map((one) => mismatchText(text, one, msg)),
  ];

  test('is said in the words of the claim and of the page', () => {
    expect(said(found('partially_supported'))).toEqual([
      'Nothing that was read supports: “at Orrin Bay”, “1931”',
      'Date: the claim says “1931”; the page says “in March 1934”',
    ]);
  });

  test('is said only of what was judged to fail', () => {
    expect(Verdict.options.filter((verdict) => said(found(verdict)).join('') !== '').sort()).toEqual([
      'contradicted',
      'not_supported',
      'partially_supported',
    ]);
  });
});

describe('what the wiki’s lists say of a site', () => {
  const said: Reliability = {
    status: 'generally_reliable',
    wiki: 'wiki.example',
    list: 'Wikipedia:Reliable sources/Perennial sources/3',
    revision: 44,
    date: '2026-05-03',
  };

  test('is called one input, and named with its list and the day of it', () => {
    expect(standingText(said, msg)).toBe('The site, one input among many: generally reliable');
    expect(listName(said, msg)).toBe('Perennial sources, 3 May 2026');
    expect(listName({ ...said, list: 'MediaWiki:Spam-blacklist' }, msg)).toBe('Spam blacklist, 3 May 2026');
    expect(listName({ ...said, list: 'Wikipedia:Mirrors and forks/ABC' }, msg)).toBe('Mirrors and forks, 3 May 2026');
  });

  test('has words for every standing', () => {
    const texts = ReliabilityStatus.options.map((status) => standingText({ ...said, status }, msg));
    expect(new Set(texts).size).toBe(ReliabilityStatus.options.length);
  });
});

test('both arms of a search are one stage of a check', () => {
  const stages = [
    { stage: 'articles', done: 1, total: 1 },
    { stage: 'retrieval-sparse', done: 2, total: 3 },
    { stage: 'retrieval-dense', done: 1, total: 6 },
    { stage: 'review', done: 0, total: 1 },
  ];
  expect(shownStages({ stages }).map(({ done, total }) => [done, total])).toEqual([
    [1, 1],
    [3, 9],
    [0, 1],
  ]);
});
