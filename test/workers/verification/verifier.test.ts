import { loadVerifier } from '../../../workers/verification/verifier.ts';

const verifier = await loadVerifier('workers/models');

const claim = (text: string) => ({ text, title: 'Hallin Ropeway', section: ['History'], context: '' });
const page = (text: string, url = 'https://example.org/ropeway') => ({ url, title: 'The ropeway', text });
const score = async (text: string, source: string) => (await verifier.verify(claim(text), [page(source)])).score;

const ROPEWAY = `Visitors to Hallin ask about the pylons above the village.
The Hallin ropeway was opened on 4 June 1912 and carried 1,850 tons of limestone in its first year. It was designed by
the engineer Berta Lindqvist. Its forty-three pylons were built of larch from the valley.
Year: 1913; Limestone: 2,140 tons; Buckets: 96
Year: 1914; Limestone: 1,375 tons; Buckets: 88
In 1958 the quarry closed, and the ropeway was sold for scrap. A café stands in the lower station today.`;
const BREAD = 'Rye bread keeps for a week. Bakers shape the loaves by hand and let them rise in baskets overnight.';

test('a page that says it supports it, with the sentence that does', async () => {
  const judgement = await verifier.verify(claim('The Hallin ropeway was opened on 4 June 1912.'), [page(ROPEWAY)]);
  expect(judgement.verdict).toBe('supported');
  expect(judgement.score).toBeGreaterThan(verifier.threshold);
  expect(judgement.evidence?.quote).toContain('was opened on 4 June 1912');
});

test('a page about something else does not support it, with a sentence that shows what it is about', async () => {
  const judgement = await verifier.verify(claim('The Hallin ropeway was opened on 4 June 1912.'), [page(BREAD)]);
  expect(judgement.verdict).toBe('not_supported');
  expect(BREAD).toContain(judgement.evidence?.quote ?? 'nothing');
});

test.each([
  ['number', 'In its first year the Hallin ropeway carried 1,850 tons of limestone.', ['1,850', '1,580']],
  ['spelled-out number', 'The ropeway had forty-three pylons of larch.', ['forty-three', 'forty-eight']],
  ['year', 'The Hallin ropeway was opened in 1912.', ['1912', '1921']],
  ['day', 'The Hallin ropeway was opened on 4 June 1912.', ['4 June', '14 June']],
  ['name', 'The ropeway was designed by the engineer Berta Lindqvist.', ['Berta Lindqvist', 'Karl Sandgren']],
])('a near miss of a %s scores lower', async (_, text, [right = '', wrong = '']) => {
  expect(await score(text.replace(right, wrong), ROPEWAY)).toBeLessThan((await score(text, ROPEWAY)) - 0.1);
});

test('a table row alone is evidence', async () => {
  const judgement = await verifier.verify(claim('In 1914 the ropeway carried 1,375 tons of limestone.'), [
    page(ROPEWAY),
  ]);
  expect(judgement.evidence?.quote).toBe('Year: 1914; Limestone: 1,375 tons; Buckets: 88');
});

test('the date of a news page stands in its address', async () => {
  const text = 'The ropeway at Hallin was sold for scrap this week after the quarry had closed.';
  const sold = claim('The Hallin ropeway was sold for scrap in March 1958.');
  const dated = await verifier.verify(sold, [page(text, 'https://example.org/1958/03/ropeway-sold')]);
  const undated = await verifier.verify(sold, [page(text)]);
  expect(dated.score).toBeGreaterThan(undated.score + 0.1);
});

test('a claim is judged with the sentence that it leans on', async () => {
  const judge = (antecedent: string) =>
    verifier.verify({ ...claim('It was designed by the engineer Berta Lindqvist.'), antecedent }, [page(ROPEWAY)]);
  const [right, wrong] = [
    await judge('The Hallin ropeway was opened on 4 June 1912.'),
    await judge('The Norrby bridge burned down in November 1871.'),
  ];
  expect(right.verdict).toBe('supported');
  expect(wrong.score).toBeLessThan(right.score - 0.3);
});

test('two pages may support together what neither supports alone', async () => {
  const text =
    'The Hallin ropeway was opened on 4 June 1912, and its lower station was turned into a café by Ilse Brandt in 1987.';
  const opening = page(
    'The Hallin ropeway was opened on 4 June 1912. The mayor of Hallin gave a speech.',
    'https://a.example/',
  );
  const cafe = page(
    'In 1987 Ilse Brandt turned the lower station into a café. She has baked there since.',
    'https://b.example/',
  );
  const { verdict, score: together, perSource } = await verifier.verify(claim(text), [opening, cafe]);
  expect(verdict).toBe('supported');
  expect(perSource.map(({ url }) => url)).toEqual(['https://a.example/', 'https://b.example/']);
  expect(Math.max(...perSource.map((alone) => alone.score))).toBeLessThan(verifier.threshold);
  expect(together).toBeGreaterThanOrEqual(verifier.threshold);
});

test('a source that supports is not outvoted by one that says nothing', async () => {
  const text = 'The Hallin ropeway was opened on 4 June 1912.';
  const { score: both, evidence } = await verifier.verify(claim(text), [
    page(BREAD, 'https://b.example/'),
    page(ROPEWAY),
  ]);
  expect(both).toBeGreaterThanOrEqual(await score(text, ROPEWAY));
  expect(evidence?.url).toBe('https://example.org/ropeway');
});

test('what surrounds the evidence on a long page changes little', async () => {
  const text = 'The Hallin ropeway was opened on 4 June 1912.';
  const long = `${`${BREAD}\n`.repeat(500)}${ROPEWAY}\n${`${BREAD}\n`.repeat(500)}`;
  expect(Math.abs((await score(text, long)) - (await score(text, ROPEWAY)))).toBeLessThan(0.15);
});

test('evidence is always verbatim and at most 50 words', async () => {
  const endless = `${'and the buckets went up and down again '.repeat(40)}until the ropeway closed`;
  const odd = '🚠 The ropeway… “opened”!\n\n\t𝒳 — Hallin? 4\u00a0June 1912\r\nropeway';
  const claims = [
    'The Hallin ropeway was opened on 4 June 1912.',
    'Hallin',
    'It had 96 buckets in 1913, and 88 later.',
  ];
  for (const text of [ROPEWAY, BREAD, endless, odd, `${BREAD} ${odd} ${endless}`]) {
    for (const said of claims) {
      const { evidence } = await verifier.verify(claim(said), [page(text)]);
      expect(text.slice(evidence?.start ?? 0, evidence?.end ?? 0)).toBe(evidence?.quote ?? '');
      expect(evidence?.quote.split(/\s+/).length ?? 0).toBeLessThanOrEqual(50);
      expect(evidence?.passage ?? '').toContain(evidence?.quote ?? '');
    }
  }
});

test('claims and pages that hardly say anything have a score', async () => {
  for (const said of ['', '…', 'Hallin', '7', '索道']) {
    for (const text of [ROPEWAY, ' ', '…', '索道於一九一二年啟用。']) {
      const judgement = await verifier.verify(claim(said), [page(text)]);
      expect(judgement.score).toBeGreaterThanOrEqual(0);
      expect(judgement.score).toBeLessThanOrEqual(1);
    }
  }
  expect(await score('…', ROPEWAY)).toBeLessThan(verifier.threshold);
});

test('a page of two megabytes is judged by what is on it', async () => {
  const filler = `${BREAD} ${BREAD}\n`.repeat(10_000);
  const { evidence } = await verifier.verify(claim('The Hallin ropeway was opened on 4 June 1912.'), [
    page(ROPEWAY + filler),
  ]);
  expect(evidence?.quote).toContain('4 June 1912');
});

test('the same question has the same answer', async () => {
  const ask = () => verifier.verify(claim('Berta Lindqvist built the ropeway in 1912.'), [page(ROPEWAY), page(BREAD)]);
  expect(await ask()).toEqual(await ask());
});

test('an item of a long list is judged, and shown, with the line that introduces the list', async () => {
  const items = Array.from(
    { length: 60 },
    (_, at) => `${1890 + at}, ${['Ida', 'Per', 'Ole'][at % 3]} Lund${at} of Hallin`,
  );
  const list = (head: string) => [page([head, ...items].join('\n'))];
  const said = claim('Ole Lund56 of Hallin won the championship of ski jumping in 1946.');
  const named = await verifier.verify(said, list('The winners of the championship of ski jumping are:'));
  expect(named.evidence?.passage).toMatch(/^The winners of the championship of ski jumping are:\n.*1946, Ole Lund56/s);
  expect(named.score).toBeGreaterThan(
    (await verifier.verify(said, list('The winners of the championship of ski jumping'))).score,
  );
});
