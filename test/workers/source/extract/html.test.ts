import { extractHtml } from '../../../../workers/source/extract/html.ts';
import { splitPassages } from '../../../../workers/verification/passages.ts';
import { articlePage, page, prose } from '../pages.ts';

function read(html: string) {
  const extracted = extractHtml(html);
  if ('kind' in extracted) throw new Error(extracted.reason);
  return { ...extracted, lines: extracted.text.split('\n') };
}

test('an article comes as one paragraph a line, with its title and language', () => {
  const { title, language, lines } = read(articlePage);
  expect({ title, language }).toEqual({ title: 'The ferry', language: 'en-GB' });
  expect(lines.filter((line) => line.startsWith('The ferry between'))).toHaveLength(30);
  expect(lines.every((line) => line === line.trim() && line !== '' && !/\s{2}/.test(line))).toBe(true);
});

test('menus, footers and scripts are left out', () => {
  const menu = '<nav><ul><li><a href="/a">Timetable of buses</a></li></ul></nav>';
  const { text } = read(
    page(`${menu}<main>${prose.join('')}</main><footer>Printed on paper</footer><script>var x</script>`),
  );
  expect(text).not.toMatch(/Timetable|Printed|var x/);
});

test('headings and list items are lines of their own', () => {
  const { lines } = read(
    page(`<article>${prose.join('')}<h2>Ships</h2><ul><li>Heron, <b>1931</b></li><li>Gull</li></ul></article>`),
  );
  expect(lines.slice(-3)).toEqual(['Ships', 'Heron, 1931', 'Gull']);
});

test('a data table comes as its caption and its rows with their headers', () => {
  const table =
    '<table><caption>Passengers</caption><tr><th rowspan="2">Year<th colspan="2">Season</tr><tr><th>Summer<th>Winter</tr>' +
    '<tr><td rowspan="2">1931<td>40,120<td>900</tr><tr><td>41,000<td></tr></table>';
  const { lines } = read(page(`<article>${prose.join('')}${table}</article>`));
  expect(lines.slice(-3)).toEqual([
    'Passengers',
    'Year: 1931; Season Summer: 40,120; Season Winter: 900',
    'Year: 1931; Season Summer: 41,000',
  ]);
});

test('a table whose rows have headers reads as header and value', () => {
  const table = '<table><tr><th>Length<td>31 m</tr><tr><th>Built<td>1930<td>Orrin</tr></table>';
  const { lines } = read(page(`<article>${prose.join('')}${table}</article>`));
  expect(lines.slice(-2)).toEqual(['Length: 31 m', 'Built: 1930; Orrin']);
});

test('a data table apart from the article survives; one in the footer does not', () => {
  const table = (word: string) =>
    `<table><tr><th>Ship</th><th>Built</th></tr><tr><td>${word}</td><td>1930</td></tr></table>`;
  const { text } = read(
    page(
      `<div><div id="story">${prose.join('')}</div><div class="data">${table('Heron')}</div></div><footer>${table('Gull')}</footer>`,
    ),
  );
  expect(text).toContain('Ship: Heron; Built: 1930');
  expect(text).not.toContain('Gull');
});

test('a long table says again what it is about, so that each passage of rows has its caption', () => {
  const rows = Array.from({ length: 40 }, (_, year) => `<tr><td>${1900 + year}<td>${year * 7} boats</tr>`).join('');
  const { lines } = read(
    page(`${prose.join('')}<table><caption>Ferries</caption><tr><th>Year<th>Fleet</tr>${rows}</table>`),
  );
  const passages = splitPassages({ url: 'https://a.example/', title: '', text: lines.join('\n') });
  const ofRows = passages.filter(({ text }) => text.includes('Year: '));
  expect(ofRows.length).toBeGreaterThan(1);
  expect(ofRows.every(({ text }) => text.includes('Ferries'))).toBe(true);
});

test('a table that a publishing system put into a figure has the caption of the figure', () => {
  const table =
    '<table><tr><th>Year<th>Boats</tr><tr><td>1931<td>9</tr></table><figcaption>Ferries of the bay.</figcaption>';
  const { lines } = read(page(`<article>${prose.join('')}<figure class="wp-block-table">${table}</figure></article>`));
  expect(lines.slice(-2)).toEqual(['Ferries of the bay', 'Year: 1931; Boats: 9']);
});

test('a wide row comes in lines that a passage does not cut, each with the caption and the name of the row', () => {
  const columns = Array.from({ length: 30 }, (_, at) => `Harbour ${at}`);
  const cells = columns.map((_, at) => `<td>${at} boats`).join('');
  const long =
    'Ferries by harbour and year as they were counted by hand at each of the quays of the bay since the war ended';
  for (const caption of ['Ferries', long]) {
    const head = `<caption>${caption}</caption><tr><th>Year<th>${columns.join('<th>')}</tr>`;
    const { lines } = read(page(`${prose.join('')}<table>${head}<tr><td>1931${cells}</tr></table>`));
    const rows = lines.filter((line) => line.includes('Harbour'));
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.every((row) => row.startsWith('Ferries') && row.includes(' – Year: 1931; Harbour'))).toBe(true);
    expect(rows.every((row) => row.split(' ').length <= 50)).toBe(true);
    expect(rows.join(' ').match(/Harbour \d+: \d+ boats/g)).toHaveLength(30);
  }
});

test('each definition stands in one line with its term', () => {
  const { lines } = read(page(`${prose.join('')}<dl><dt>Length:<dd>31 m<dt>Built<dd>1930<dd>at Orrin Bay</dl>`));
  expect(lines.slice(-3)).toEqual(['Length: 31 m', 'Built: 1930', 'Built: at Orrin Bay']);
});

test('a table that lays out a page is read as its blocks', () => {
  const { lines } = read(
    page(`<table><tr><td>${prose.slice(0, 15).join('')}</td><td>${prose.slice(15).join('')}</td></tr></table>`),
  );
  expect(lines).toHaveLength(30);
});

test('a page of many small parts keeps all of them', () => {
  const parts = prose.map((paragraph) => `<section><div><div>${paragraph}</div></div></section>`);
  expect(read(page(parts.join('<hr>'))).lines).toHaveLength(30);
});

test('a page of short facts is not cut down to its one paragraph', () => {
  const facts = Array.from(
    { length: 200 },
    (_, index) => `<div class="promo-x"><span>Day ${index + 1}</span>: ${index} boats</div>`,
  );
  const { text } = read(page(`<div><div>${prose.slice(0, 6).join('')}</div></div><div>${facts.join('')}</div>`));
  expect(text).toContain('Day 200: 199 boats');
});

test('a short page is read whole', () => {
  expect(read(page('<div>Closed in 1931.</div>')).text).toBe('Closed in 1931.');
});

test('markup without html or body elements is read', () => {
  expect(read('<title>Old</title><h1>Harbour</h1><p>Built in 1902.')).toMatchObject({
    title: 'Old',
    lines: ['Harbour', 'Built in 1902.'],
  });
  expect(read('<html lang="fr"><title>Old</title><p>Built in 1902.</html>')).toMatchObject({
    language: 'fr',
    text: 'Built in 1902.',
  });
  expect(read('<html><body></body><p>Built in 1902.').text).toBe('Built in 1902.');
  expect(read('').text).toBe('');
});

test('two breaks part paragraphs, one does not', () => {
  expect(read(page('<div>Built<br>in 1902.<br><br>Burnt in 1931.</div>')).lines).toEqual([
    'Built in 1902.',
    'Burnt in 1931.',
  ]);
});

test('preformatted text that was wrapped by hand is joined, a list in it is not', () => {
  const wrapped = 'The ferry was built in the yard at Orrin Bay in the\nyear 1930 and carried passengers from 1931.';
  expect(read(page(`<pre>${wrapped}\n\nHeron\nGull</pre>`)).lines).toEqual([
    wrapped.replace('\n', ' '),
    'Heron',
    'Gull',
  ]);
});

test.each([
  ['{"@type":"NewsArticle","isAccessibleForFree":"False"}', false],
  ['{"@graph":[{"@type":"WebPage"},{"isAccessibleForFree":true}]}', true],
  ['{"@type":"NewsArticle","hasPart":{"isAccessibleForFree":false}}', null],
  ['{broken', null],
])('%s says whether the page is free', (json, expected) => {
  const { marks } = read(page('<p>Text.</p>', `<script type="application/ld+json">${json}</script>`));
  expect(marks).toMatchObject({ accessibleForFree: expected, scripts: 0 });
});

test('marks of shells, logins and paywalls are found in the markup', () => {
  expect(read(page('<div id="root"></div><script src="a.js"></script>')).marks).toMatchObject({
    scripts: 1,
    asksForScript: true,
  });
  expect(read(page('<form><input type="password"></form>')).marks.passwordField).toBe(true);
  expect(read(page('<div class="article-paywall">Join</div>')).marks.paywall).toBe(true);
});

test('random markup is read or refused, never thrown at', () => {
  const pieces =
    '<p> </p> <div> </div> <table> <tr> <td rowspan=9> <th> </table> <!-- --> <a href= " > & &amp; <script> </script> <br> <svg> text < <? <![CDATA[ \0 \ud800 <html> <body> </body> <base href=x>'.split(
      ' ',
    );
  for (let seed = 1; seed <= 150; seed += 1) expect(() => extractHtml(randomMarkup(pieces, seed))).not.toThrow();
});

test.each([
  ['nested too deep to recurse', '<div>'.repeat(20_000)],
  ['nested as deep as tags may be many', '<div><b>'.repeat(70_000)],
  ['a list in a list', '<ul><li>a'.repeat(5000)],
  ['a table in a table', '<table><tr><td>'.repeat(2000)],
  ['more breaks than words', 'word<br>'.repeat(10_000)],
  ['spans without end', `<table>${'<tr><td rowspan=9999 colspan=9999>a<td>b'.repeat(500)}`],
])('%s ends with a text', (_, html) => {
  expect(read(page(`${html}The end.`)).text).toContain('The end.');
});

test('a page of more markup than a person writes is too large', () => {
  expect(extractHtml('<b>'.repeat(200_000))).toMatchObject({ kind: 'unavailable', reason: 'too_large' });
});

/** Park and Miller's generator: the same pages at every run. */
function randomMarkup(pieces: readonly string[], seed: number): string {
  let state = seed;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return pieces[state % pieces.length] ?? '';
  };
  return Array.from({ length: 200 }, next).join(seed % 2 === 0 ? ' ' : '');
}
