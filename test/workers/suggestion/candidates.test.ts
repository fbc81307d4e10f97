import type { Finding } from '../../../shared/citation.ts';
import { fingerprint } from '../../../shared/shingles.ts';
import { sharedShingles, whyNotAddress, whyNotPage, whyNotText } from '../../../workers/suggestion/candidates.ts';
import { createSiteLists, type EntryRow } from '../../../workers/suggestion/reliability/site-lists.ts';
import { aFinding } from '../../support/examples.ts';
import { aPage } from '../retrieval/installation.ts';

const exclusions = { reliability: createSiteLists([], []), allowUserGenerated: false };

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

function why(page: ReturnType<typeof aPage>, of: Finding = finding, by = exclusions) {
  return whyNotPage(of, [], page, by);
}

test('an independent page may be suggested', () => {
  expect(why(aCandidate('https://gazette.example/1931/mill'))).toBeNull();
});

test.each([
  ['as cited', 'https://orrin.example/mill'],
  ['over http, with www and tracking', 'http://www.orrin.example/mill/?utm_source=x'],
  ['in the Wayback Machine', 'https://web.archive.org/web/20200102030405/https://orrin.example/mill'],
])('the cited page is never suggested: %s', (_, url) => {
  expect(whyNotAddress(finding, url, exclusions)).toBe('cited');
});

test('nor is the page that a cited address, or its own, redirects to', () => {
  const [citation] = finding.citations;
  const moved = { ...finding, citations: citation ? [{ ...citation, readUrl: 'https://orrin.example/new/mill' }] : [] };
  expect(whyNotAddress(moved, 'https://orrin.example/new/mill', exclusions)).toBe('cited');
  expect(why({ ...aCandidate('https://short.example/1'), finalUrl: 'https://orrin.example/mill' })).toBe('cited');
});

test('two addresses that can not be read as such are not the same page', () => {
  const [citation] = finding.citations;
  const broken = { ...finding, citations: citation ? [{ ...citation, url: 'see the archive', readUrl: null }] : [] };
  expect(whyNotAddress(broken, 'mill papers', exclusions)).toBeNull();
});

test('a copy of the article is never suggested', () => {
  expect(why(aCandidate('https://mirror.example/Orrin_Bay', article))).toBe('copy');
});

test('nor is one of an older revision, in other typography', () => {
  const older = `${context.replace('1790', '1791')} ${text.replace('closed', 'shut')}`
    .toUpperCase()
    .replaceAll(' ', ' \n');
  expect(why(aCandidate('https://mirror.example/Orrin_Bay', older))).toBe('copy');
});

test('a page that quotes one sentence of the paragraph may be suggested', () => {
  const quoting = `As the encyclopedia says: “${text}” We asked the brothers' heirs.`;
  expect(why(aCandidate('https://gazette.example/heirs', quoting))).toBeNull();
});

test('a claim too short for a shingle has no copies', () => {
  expect(sharedShingles({ text: 'It closed.', context: '' }, 'It closed.')).toBe(0);
});

test.each([
  ['the wiki itself', 'http://wiki.example:8143/wiki/Orrin_Bay', 'same_wiki'],
  [
    'an archived page of the wiki',
    'https://web.archive.org/web/2020/http://wiki.example:8143/wiki/Orrin_Bay',
    'same_wiki',
  ],
  ['archive.today', 'https://archive.today/AbCdE', 'archive_today'],
  ['an alias of archive.today', 'https://archive.ph/AbCdE', 'archive_today'],
  ['another wiki', 'https://simple.wikipedia.org/wiki/Mill', 'wiki_mirror'],
  ['a site that readers write', 'https://orrin-mill.blogspot.com/1931', 'user_generated'],
])('%s is never suggested', (_, url, reason) => {
  expect(why(aCandidate(url))).toBe(reason);
  expect(why({ ...aCandidate('https://short.example/2'), finalUrl: url })).toBe(reason);
});

test('a site that readers write may be suggested where it is allowed', () => {
  const url = 'https://orrin-mill.blogspot.com/1931';
  expect(whyNotAddress(finding, url, { ...exclusions, allowUserGenerated: true })).toBeNull();
});

test('what the wiki lists as deprecated, blacklisted, unreliable or a mirror is never suggested', () => {
  const statuses = ['deprecated', 'blacklisted', 'generally_unreliable', 'wiki_mirror'] as const;
  const list = {
    id: 1,
    wiki: finding.wiki,
    home: finding.wiki,
    title: 'Project:Sources',
    revision: 3,
    date: '2026-01-02',
  };
  const entries = statuses.map((status): EntryRow => {
    const domain = `${status.replaceAll('_', '-')}.example`;
    return { ...list, kind: 'perennial', domain, path: '', status, userGenerated: false };
  });
  const listed = { ...exclusions, reliability: createSiteLists(entries, []) };
  const pages = entries.map(({ domain }) => aCandidate(`https://www.${domain}/mill`));
  expect(pages.map((page) => why(page))).toEqual([null, null, null, null]);
  expect(pages.map((page) => why(page, finding, listed))).toEqual([...statuses]);
});

test('nor is the mobile form of the wiki', () => {
  const ofWiki = { ...finding, wiki: 'en.wiki.example' };
  expect(why(aCandidate('https://en.m.wiki.example/wiki/Orrin_Bay'), ofWiki)).toBe('same_wiki');
});

test('nor is a page that only an archive still has', () => {
  const archived = { ...aCandidate('https://gone.example/mill'), archivedAt: '2020-01-02T03:04:05.000Z' };
  expect(why(archived)).toBe('unreachable');
});

test('nor is a page in a language in which the engine was not measured', () => {
  const german =
    'Nach dem Hochwasser im Winter wurde die Mühle geschlossen, und die Besitzer haben danach die Steine verkauft.';
  expect(whyNotText(finding, [], german)).toBe('unsupported_language');
});

test('a copy of the article is never suggested, however short the claim', () => {
  const lines = Array.from(
    { length: 40 },
    (_, i) => `In ${1860 + i} the miller of Orrin Bay ground ${i + 3} sacks of barley.`,
  );
  const short = { ...finding, claim: { ...finding.claim, text: 'The wheel had 24 buckets.', context: '' } };
  const copy = `${lines.slice(0, 25).join(' ')} Its wheel had 24 buckets.`;
  expect(whyNotText(short, [], copy)).toBeNull();
  expect(whyNotText(short, fingerprint(lines.join(' ')), copy)).toBe('copy');
});
