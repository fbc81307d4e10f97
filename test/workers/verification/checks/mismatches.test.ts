import { findMismatches } from '../../../../workers/verification/checks/mismatches.ts';
import { check, readCases, tally } from './labelled.ts';

function found(claim: string, page: string): string[] {
  return check({ claim, page }).map(({ code, claim: span }) => `${code}: ${claim.slice(span.start, span.end)}`);
}

describe('on the labelled cases', () => {
  const all = [...readCases('tuning.txt'), ...readCases('unseen.txt')];
  const unseen = readCases('unseen.txt');

  test('there are more than 200, half of them without a mismatch', () => {
    expect(all.length).toBeGreaterThan(200);
    const without = all.filter(({ find }) => find.length === 0).length;
    expect(without / all.length).toBeGreaterThan(0.4);
    expect(without / all.length).toBeLessThan(0.6);
  });

  test('nine in ten of the mismatches that are found are right, and most are found', () => {
    const { right, wrong, missed } = tally(all);
    expect(right / (right + wrong)).toBeGreaterThanOrEqual(0.9);
    expect(right / (right + missed)).toBeGreaterThanOrEqual(0.85);
  });

  test('the cases that no rule was made for do as well', () => {
    const { right, wrong } = tally(unseen);
    expect(right / (right + wrong)).toBeGreaterThanOrEqual(0.9);
  });
});

describe('a mismatch', () => {
  const page = 'Sheep graze on the hill. The mill of Orrin has 12 windows and a red roof.';

  test("has the page's own sentence, found at its place in the page's text", () => {
    const text = `Orrin\n${page}`;
    const passage = { url: 'https://orrin.invalid/', title: 'Orrin', text: page, start: 6, end: text.length };
    const [mismatch] = findMismatches('The mill of Orrin has 15 windows.', [passage]);
    expect(mismatch?.page.quote).toBe('The mill of Orrin has 12 windows and a red roof.');
    expect(text.slice(mismatch?.page.start, mismatch?.page.end)).toBe(mismatch?.page.quote);
    expect(mismatch?.page.url).toBe('https://orrin.invalid/');
  });

  test('of a number', () => {
    expect(found('The mill of Orrin has 15 windows.', page)).toEqual(['number: 15']);
  });

  test('of a date', () => {
    expect(found('The mill of Orrin burnt in May 1871.', 'In June 1871 the mill of Orrin burnt.')).toEqual([
      'date: May 1871',
    ]);
  });

  test('of a unit', () => {
    expect(found('The mill of Orrin is 20 metres high.', 'The mill of Orrin is 20 feet high.')).toEqual([
      'unit: 20 metres',
    ]);
  });

  test('of a range', () => {
    const claim = 'The mill of Orrin sold 50,000–100,000 sacks of flour.';
    expect(found(claim, 'The mill of Orrin sold 40,000–120,000 sacks of flour.')).toEqual(['range: 50,000–100,000']);
  });

  test('of a name', () => {
    const claim = 'The mill of Orrin was built by Tilda Vance for her son.';
    expect(found(claim, 'The mill of Orrin was built by Hugo Marchetti for his son.')).toEqual(['name: Tilda Vance']);
  });

  test('of opposites, one for a claim', () => {
    const claim = 'The mill of Orrin is open on Sundays and sells bread on Sundays.';
    const page = 'The mill of Orrin is closed on Sundays and never sells bread on Sundays.';
    expect(found(claim, page)).toEqual(['opposite: open']);
  });
});

describe('no mismatch', () => {
  test.each([
    ['where the page is silent', 'The mill of Orrin has 15 windows.', 'The mill of Orrin has a red roof.'],
    [
      'where another passage has the value',
      'The mill of Orrin has 15 windows.',
      'The mill of Orrin has 12 windows.\nThe mill of Orrin has 15 windows since it was rebuilt.',
    ],
    [
      'where another sentence denies the opposite',
      'The mill of Orrin is open on Sundays.',
      'The mill of Orrin is closed on Sundays. The mill of Orrin is open on Sundays again.',
    ],
    ['where the value is rounded', 'The mill made 1.2 million loaves.', 'The mill made 1,187,000 loaves.'],
    ['where a unit is converted', 'The road to Orrin is 10 miles long.', 'The road to Orrin is 16 km long.'],
    ['where the date is less exact', 'The mill of Orrin burnt on 3 May 1871.', 'The mill of Orrin burnt in 1871.'],
  ])('%s', (_, claim, page) => {
    expect(found(claim, page)).toEqual([]);
  });
});

describe('strange input is read in the end', () => {
  const claims = [
    '',
    ' ',
    '5',
    '\u0000\u0007 12 \uFFFF',
    '\u202E١٢٣ عدد\u202C 12',
    '🦊🦊 14 🦊',
    '\uD800 3 km',
    '–'.repeat(2000),
  ];

  test.each(claims.map((claim) => [claim]))('%j', (claim) => {
    expect(() => check({ claim, page: `${claim} 15 foxes 1999–2000 \u0000` })).not.toThrow();
  });

  test.each([
    'x',
    '1',
    '1,',
    '5 to ',
    'A',
    'a-',
    '½',
    '\u0301',
    'Ab ',
    'two ',
    '12 km ',
    'not open ',
    'never closed, ',
    'voted for it or ',
  ])('two million characters of %j', (part) => {
    const text = part.repeat(2_000_000 / part.length);
    expect(Array.isArray(check({ claim: text.slice(0, 4000), page: text }))).toBe(true);
  });
});
