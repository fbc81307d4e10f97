import { splitHeaded, splitPassages } from '../../../workers/verification/passages.ts';

const page = (text: string) => ({ url: 'https://example.org/', title: 'Orrin Bay', text });
/** 93 words in sentences: seven more fit into the passage. */
const PROSE = Array.from({ length: 31 }, () => 'Rain fell.')
  .join(' ')
  .concat(' It fell on.'.repeat(10), ' Again.');
const passages = (text: string) => splitPassages(page(text)).map((passage) => passage.text);
const heads = (text: string) => splitHeaded(page(text)).map(({ head }) => head);

const ITEMS = Array.from({ length: 30 }, (_, at) => `Ferry number ${at} of the bay, built of larch`);
const ROWS = Array.from({ length: 30 }, (_, at) => `Year: ${1900 + at}; Ferries: ${at}; Crew: ${at * 7} men`);

test('a short table is not parted from its caption', () => {
  const table = ['Ferries of the bay', ...ROWS.slice(0, 4)].join('\n');
  expect(passages(`${PROSE}\n${table}\nThe yard closed.`)).toEqual([PROSE, `${table}\nThe yard closed.`]);
});

test('neither are values with their names, below a heading', () => {
  const facts = 'Dimensions of the ferry\nLength: 31 m\nBeam: 7 m\nDraught: 2 m';
  expect(passages(`${PROSE}\n${facts}`)).toEqual([PROSE, facts]);
});

test('a short list is not parted from the sentence that introduces it; what stands before that may be', () => {
  const list = 'Its ferries are:\nHeron, built in 1931\nGull\nTern, burnt at sea';
  expect(passages(`${PROSE} It fell. ${list}\nThe yard closed.`)).toEqual([
    `${PROSE} It fell.`,
    `${list}\nThe yard closed.`,
  ]);
});

test.each([
  ['list', 'The ferries of the bay are:', ITEMS],
  ['table', 'Ferries of the bay', ROWS],
])('every passage of a long %s is read with what introduces it', (_, head, lines) => {
  const split = splitHeaded(page([head, ...lines].join('\n')));
  expect(split.length).toBeGreaterThan(2);
  expect(split.map((each) => each.head)).toEqual(['', ...split.slice(1).map(() => head)]);
  expect(split.map(({ passage }) => passage.text).join('\n')).toBe([head, ...lines].join('\n'));
});

test('what comes behind a list or table is not read with its head', () => {
  for (const lines of [
    ['The ferries are:', ...ITEMS],
    ['Ferries of the bay', ...ROWS],
  ]) {
    const list = lines.join('\n');
    const split = splitHeaded(page(`${list}\n${PROSE} ${PROSE}`));
    const behind = split.filter(({ passage }) => passage.start > list.length);
    expect(behind.length).toBeGreaterThan(0);
    expect(behind.every(({ head }) => head === '')).toBe(true);
  }
});

test('a sentence is no caption, and rows that carry theirs need none', () => {
  expect(heads(['The bay has ferries.', ...ROWS].join('\n')).every((head) => head === '')).toBe(true);
  const carried = ROWS.map((row) => `Ferries – ${row}`);
  expect(heads(['A heading', ...carried].join('\n')).every((head) => head === '')).toBe(true);
});

test('prose is cut where a hundred words are full, and is read with the words that introduce it', () => {
  const [before, after] = [`${PROSE} Then the oldest of them said this:`, 'The ferry will not come.'];
  expect(passages(`${before}\n${after}`)).toEqual([before, after]);
  expect(heads(`${before}\n${after}`)).toEqual(['', 'Then the oldest of them said this:']);
  expect(heads(`${before} ${after}`)).toEqual(['', '']);
});
