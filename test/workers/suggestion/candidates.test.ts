import type { Finding } from '../../../shared/citation.ts';
import { fingerprint } from '../../../shared/shingles.ts';
import { isCandidate, sharedShingles } from '../../../workers/suggestion/candidates.ts';
import { aFinding } from '../../support/examples.ts';
import { aPage } from '../retrieval/installation.ts';

const context =
  'The mill at Orrin Bay was built of grey stone in 1790 by two brothers. Its wheel was turned by the water of the upper weir.';
const text = 'After the flood of 1931 the owners closed it and sold the stones.';
const finding: Finding = { ...aFinding, claim: { ...aFinding.claim, text, context } };

const article = `Orrin Bay, a free encyclopedia of the coast. ${context} ${text} See also: weirs.`;
const report =
  'In the winter of 1931, after a flood had torn away the upper weir, the mill was shut and its stones were sold.';

function aCandidate(url: string, body = report) {
  return aPage(url, 'A page', body);
}

test('an independent page may be suggested', () => {
  expect(isCandidate(finding, [], aCandidate('https://gazette.example/1931/mill'))).toBe(true);
});

test.each([
  ['as cited', 'https://orrin.example/mill'],
  ['over http, with www and tracking', 'http://www.orrin.example/mill/?utm_source=x'],
  ['in the Wayback Machine', 'https://web.archive.org/web/20200102030405/https://orrin.example/mill'],
])('the cited page is never suggested: %s', (_, url) => {
  expect(isCandidate(finding, [], aCandidate(url))).toBe(false);
});

test('nor is the page that a cited address, or its own, redirects to', () => {
  const [citation] = finding.citations;
  const moved = { ...finding, citations: citation ? [{ ...citation, readUrl: 'https://orrin.example/new/mill' }] : [] };
  expect(isCandidate(moved, [], aCandidate('https://orrin.example/new/mill'))).toBe(false);
  const page = { ...aCandidate('https://short.example/1'), finalUrl: 'https://orrin.example/mill' };
  expect(isCandidate(finding, [], page)).toBe(false);
});

test('a copy of the article is never suggested', () => {
  expect(isCandidate(finding, [], aCandidate('https://mirror.example/Orrin_Bay', article))).toBe(false);
});

test('nor is one of an older revision, in other typography', () => {
  const older = `${context.replace('1790', '1791')} ${text.replace('closed', 'shut')}`
    .toUpperCase()
    .replaceAll(' ', ' \n');
  expect(isCandidate(finding, [], aCandidate('https://mirror.example/Orrin_Bay', older))).toBe(false);
});

test('a page that quotes one sentence of the paragraph may be suggested', () => {
  const quoting = `As the encyclopedia says: “${text}” We asked the brothers' heirs.`;
  expect(isCandidate(finding, [], aCandidate('https://gazette.example/heirs', quoting))).toBe(true);
});

test('a claim too short for a shingle has no copies', () => {
  expect(sharedShingles({ text: 'It closed.', context: '' }, 'It closed.')).toBe(0);
});

test.each([
  ['the wiki itself', 'http://wiki.example:8143/wiki/Orrin_Bay'],
  ['an archived page of the wiki', 'https://web.archive.org/web/2020/http://wiki.example:8143/wiki/Orrin_Bay'],
  ['archive.today', 'https://archive.today/AbCdE'],
  ['an alias of archive.today', 'https://archive.ph/AbCdE'],
])('%s is never suggested', (_, url) => {
  expect(isCandidate(finding, [], aCandidate(url))).toBe(false);
});

test('nor is the mobile form of the wiki', () => {
  const ofWiki = { ...finding, wiki: 'en.wiki.example' };
  expect(isCandidate(ofWiki, [], aCandidate('https://en.m.wiki.example/wiki/Orrin_Bay'))).toBe(false);
});

test('nor is a page that only an archive still has', () => {
  const archived = { ...aCandidate('https://gone.example/mill'), archivedAt: '2020-01-02T03:04:05.000Z' };
  expect(isCandidate(finding, [], archived)).toBe(false);
});

test('a copy of the article is never suggested, however short the claim', () => {
  const lines = Array.from(
    { length: 40 },
    (_, i) => `In ${1860 + i} the miller of Orrin Bay ground ${i + 3} sacks of barley.`,
  );
  const short = { ...finding, claim: { ...finding.claim, text: 'The wheel had 24 buckets.', context: '' } };
  const copy = aCandidate(
    'https://mirror.example/Orrin_Bay',
    `${lines.slice(0, 25).join(' ')} Its wheel had 24 buckets.`,
  );
  expect(isCandidate(short, [], copy)).toBe(true);
  expect(isCandidate(short, fingerprint(lines.join(' ')), copy)).toBe(false);
});
