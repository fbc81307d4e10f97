import { Evidence } from '../../../../shared/citation.ts';
import { type Page, splitPassages } from '../../../../workers/verification/passages.ts';
import { locateQuotes } from '../../../../workers/verification/second-opinion/quotes.ts';

const page: Page = {
  url: 'https://ost.example/ferry',
  title: 'The ferry',
  text: [
    'The ferry “Alcyone” didn’t sail in the winter of 1931–32; its\u00a0crew of 1,200 men was “let go”.',
    'Tove Marek, born in Žirje, bought her for 40,000 crowns, half of what she had cost to build.',
    'Type: steam ferry; Length: 41 m; Launched: 3 May 1908',
  ].join('\n'),
};

test.each([
  ['as the page has it', 'didn’t sail in the winter of 1931–32'],
  ['straight quotation marks', 'The ferry "Alcyone" didn\'t sail in the winter'],
  ['another dash', 'in the winter of 1931-32; its'],
  ['a plain space for one that does not break', 'its crew of 1,200 men'],
  ['more white space, and line breaks', 'Tove Marek,   born\n in\tŽirje'],
  ['a space for a line break of the page', 'was “let go”. Tove Marek, born'],
  ['letters with their accents apart', 'Tove Marek, born in Žirje'.normalize('NFD')],
  ['a capital at its beginning', 'Bought her for 40,000 crowns'],
  ['soft hyphens', 'bought her for 40,000 cro\u00adwns'],
  ['quotation marks around it', '"Tove Marek, born in Žirje"'],
  ['dots around it', '… bought her for 40,000 crowns …'],
  ['a full stop that the page does not have', 'half of what she had cost.'],
])('a quote with %s is found, and stored in the characters of the page', (_, quote) => {
  const [evidence] = locate([quote]);
  expect(letters(evidence?.quote)).toBe(letters(quote));
});

test('a quote is stored with the passage around it', () => {
  const start = page.text.indexOf('Launched');
  expect(locate(['Launched: 3 May 1908'])).toEqual([
    {
      quote: 'Launched: 3 May 1908',
      url: page.url,
      title: page.title,
      start,
      end: page.text.length,
      passage: page.text,
    },
  ]);
});

test('of a quote that joins pieces by dots every piece that stands on the page is found', () => {
  const quotes = locate(['Tove Marek, born in Žirje ... half of what she had cost [...] and she was never paid']);
  expect(quotes.map(({ quote }) => quote)).toEqual(['Tove Marek, born in Žirje', 'half of what she had cost']);
});

test.each([
  ['words that the page does not have', 'Tove Marek, born in Brennhaven'],
  ['a paraphrase', 'Tove Marek was born in Žirje'],
  ['another number', 'bought her for 41,000 crowns'],
  ['the beginning of a longer number', 'bought her for 40'],
  ['the end of a longer number', '000 crowns, half of what'],
  ['the beginning of a longer word', 'The ferry “Alcyone” didn’t sail in the win'],
  ['the end of a longer word', 'arek, born in Žirje'],
  ['so few letters that any page may have them', 'of 1931'],
  ['nothing but marks', ' “…” '],
  ['nothing', ''],
  ['no end', 'bought her for 40,000 crowns '.repeat(1000)],
])('a quote with %s is dropped', (_, quote) => {
  expect(locate([quote])).toEqual([]);
});

test('a quote of fifty words is kept, and one of fifty-one is dropped', () => {
  const words = Array.from({ length: 60 }, (_, at) => `word${at}`);
  const long = { ...page, text: words.join(' ') };
  const [fifty, more] = [50, 51].map((length) => words.slice(0, length).join(' '));
  expect(locate([fifty ?? '', more ?? ''], [long]).map(({ quote }) => quote)).toEqual([fifty]);
});

test('a page without spaces is quoted too, but not at any length', () => {
  const chinese = { ...page, text: `船於一九三一年冬季停航，船員全部遣散，後由馬雷克女士買下。${'又'.repeat(700)}` };
  expect(locate(['一九三一年冬季停航，船員全部遣散'], [chinese])).toHaveLength(1);
  expect(locate(['又'.repeat(700)], [chinese])).toEqual([]);
});

test('the same place is kept once, and no more than five places', () => {
  const words = page.text.split(/\s+/);
  const six = [0, 5, 10, 15, 20, 25].map((at) => words.slice(at, at + 5).join(' '));
  expect(locate(['Launched: 3 May 1908', 'launched: 3 may 1908'])).toHaveLength(1);
  expect(locate(six)).toHaveLength(5);
});

test('a quote may run from one passage into the next, and shows both', () => {
  const sentence = (at: number) =>
    `Sentence ${at} tells of the ferry and of the people who sailed on her to the islands.`;
  const long = { ...page, text: Array.from({ length: 20 }, (_, at) => sentence(at)).join(' ') };
  const [first, second] = splitPassages(long);
  const quote = `${first?.text.split(' ').slice(-4).join(' ')} ${second?.text.split(' ').slice(0, 6).join(' ')}`;
  const [evidence] = locate([quote], [long]);
  expect(evidence?.quote).toBe(quote);
  expect(evidence?.passage).toBe(`${first?.text} ${second?.text}`);
});

test('what the model was not shown it cannot quote', () => {
  const shown = splitPassages({ ...page, text: page.text.slice(0, page.text.indexOf('\n')) });
  const quotes = ['Launched: 3 May 1908', 'its crew of 1,200 men'];
  expect(locateQuotes(quotes, shown, [page]).map(({ quote }) => quote)).toEqual(['its\u00a0crew of 1,200 men']);
});

test('a quote from the second page carries its address and place', () => {
  const other = {
    url: 'https://ost.example/mill',
    title: 'The mill',
    text: 'The paper mill at Grendal closed in 1931.',
  };
  const [evidence] = locate(['paper mill at Grendal'], [page, other]);
  expect(evidence).toMatchObject({ url: other.url, title: 'The mill', start: 4, end: 25 });
});

/** As if every passage had been shown. Every quote stands in its page as it says. */
function locate(quotes: string[], pages: Page[] = [page]): Evidence[] {
  const found = locateQuotes(quotes, pages.flatMap(splitPassages), pages).map((evidence) => Evidence.parse(evidence));
  for (const { url, start, end, quote, passage } of found) {
    expect(pages.find((read) => read.url === url)?.text.slice(start, end)).toBe(quote);
    expect(passage).toContain(quote);
    expect(quote.split(/\s+/).length).toBeLessThanOrEqual(50);
  }
  return found;
}

/** Letters and digits alone: what must not differ. */
function letters(quote = ''): string {
  return quote
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
