import { Finding, type Reliability } from '../../../shared/citation.ts';
import { aCitation, aFinding } from '../../support/examples.ts';
import { openPage } from './opened.ts';
import { rich } from './rich.ts';
import { type Served, serve } from './served.ts';
import { citing, searched } from './store.ts';

let served: Served;
afterEach(() => served.close());

const open = (path: string) => openPage(served.origin, path);

test('an unreadable source is never shown as one that does not support', async () => {
  const cited = {
    ...aCitation,
    score: null,
    reason: 'paywall',
    readUrl: null,
    archivedAt: null,
    reliability: null,
  } as const;
  served = await serve({ ...aFinding, verdict: 'unavailable', score: null, reason: 'paywall', citations: [cited] });
  const page = await open('/findings/1');
  expect(page.textOf('[aria-labelledby=cited]')).toContain(
    'Could not be read: paywall. This says nothing about support.',
  );
  expect(page.textOf('main')).not.toContain('Not supported');
});

test('the page that is cited, the day of the copy that was read, and a text that a person gave are said', async () => {
  const read = {
    readUrl: 'https://mills.example/report.pdf',
    archivedAt: '2020-03-01T12:00:00.000Z',
    reliability: null,
  };
  const cited = { ...aCitation, ...read, score: 0.2, reason: null, pages: '12–14', given: true } as const;
  served = await serve({ ...aFinding, citations: [cited] });
  const facts = (await open('/findings/1')).textOf('[aria-labelledby=cited] .facts');
  expect(facts).toContain('page 12–14');
  expect(facts?.match(/from a text that a person gave/g)).toHaveLength(1);
  expect(facts).toMatch(/read from the archive’s copy of .*2020/);
});

test('beside a quote stands the page of the source that it is on', async () => {
  const finding = searched(aFinding);
  const { suggestion } = finding;
  if (suggestion === null) throw new Error('no suggestion');
  served = await serve({
    ...finding,
    suggestion: { ...suggestion, evidence: { ...suggestion.evidence, page: 'iv <b>' } },
  });
  const page = await open('/findings/1');
  expect(page.textOf('[aria-labelledby=suggestion] figcaption')).toBe('Supporting passage, page iv <b>');
});

describe('what the wiki’s lists say of a site', () => {
  const said: Reliability = {
    status: 'deprecated',
    wiki: 'meta.example',
    list: 'Project:Reliable sources/Perennial sources/3',
    revision: 44,
    date: '2026-05-03',
  };

  test('stands beside the source in words, as one input, with its list and the day of it', async () => {
    const { suggestion, ...finding } = searched(citing(aFinding, 'https://orrin.example/mill'));
    const citations = finding.citations.map((citation) => ({ ...citation, reliability: said }));
    const better = suggestion && { ...suggestion, reliability: { ...said, status: 'generally_reliable' as const } };
    served = await serve({ ...finding, citations, suggestion: better });
    const page = await open('/findings/1');
    expect(page.textOf('[aria-labelledby=cited] .standing')).toBe(
      'The site, one input among many: Deprecated · Perennial sources, 3 May 2026',
    );
    expect(page.textOf('[aria-labelledby=suggestion] .standing')).toContain('Generally reliable');
    expect(page.document.querySelector('.standing a')?.getAttribute('href')).toBe(
      'https://meta.example/w/index.php?title=Project%3AReliable_sources%2FPerennial_sources%2F3&oldid=44',
    );
  });

  test('is not mentioned where no list has the site, nor in findings of before there were lists', async () => {
    const { citations, ...finding } = searched(aFinding);
    const older = citations.map(({ reliability: _, ...citation }) => citation);
    served = await serve(Finding.parse({ ...finding, citations: older }));
    expect((await open('/findings/1')).document.querySelector('.standing')).toBeNull();
  });
});

describe('what is cited', () => {
  const [cited] = aFinding.citations;
  const citing = (...scores: number[]) => ({
    ...aFinding,
    citations: cited === undefined ? [] : scores.map((score) => ({ ...cited, score })),
  });

  test('is scored alone and together where there are several sources', async () => {
    served = await serve(citing(0.31, 0.12));
    const page = await open('/findings/1');
    const facts = [...page.document.querySelectorAll('.work .facts:not(.dates)')].map((line) =>
      line.textContent.trim(),
    );
    expect(facts).toEqual(['orrin.example · 31 % alone', 'orrin.example · 12 % alone']);
    expect(page.textOf('.together')).toBe('20 % chance of support together');
  });

  test('is scored once where there is one', async () => {
    served = await serve(citing(0.2));
    expect((await open('/findings/1')).textOf('[aria-labelledby=cited]')).not.toMatch(/alone|together/);
  });
});

test('not searched, nothing better and partly searched are told apart', async () => {
  const nothing = { ...aFinding, searched: { shardsAsked: 8, shardsAnswered: 8, missing: [] } };
  served = await serve(aFinding);
  expect((await open('/findings/1')).textOf('[aria-labelledby=suggestion]')).toContain('Not searched');
  await served.findings.record(nothing);
  expect((await open('/findings/1')).textOf('[aria-labelledby=suggestion]')).toContain('No better source');
});

describe('dates and copies', () => {
  test('of what is cited: published, accessed, fetched, the editor’s archive link and the copy nearest to the access', async () => {
    served = await serve(rich());
    const page = await open('/findings/1');
    expect(page.textOf('[aria-labelledby=cited] .dates')).toBe(
      'published 2003-05-17 · accessed 2019-04-02 · fetched 2026-11-20 · archive link · Wayback Machine',
    );
    const links = [...page.document.querySelectorAll('[aria-labelledby=cited] .dates a')];
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      'https://web.archive.org/web/20190403000000/https://orrin.example/mill',
      'https://web.archive.org/web/20190402/https://orrin.example/mill',
    ]);
    expect(page.textOf('[aria-labelledby=suggestion] .dates')).toBe(
      'published 2011-09-30 · fetched 2026-11-20 · Wayback Machine',
    );
  });

  test('a copy is looked for of no copy, and of nothing without a web address', async () => {
    const [citation] = rich().citations;
    if (citation === undefined) throw new Error('no citation');
    const bare = { ...citation, accessDate: null, archiveUrl: null };
    const copy = { ...bare, url: 'https://web.archive.org/web/2019/https://orrin.example/mill' };
    served = await serve(rich({ citations: [copy, { ...bare, url: 'javascript:alert(1)' }, { ...bare, url: null }] }));
    expect((await open('/findings/1')).document.querySelectorAll('[aria-labelledby=cited] .dates a')).toHaveLength(0);
  });
});

test('details of the claim are marked in both passages under one number each, and told in words below', async () => {
  served = await serve(rich());
  const page = await open('/findings/1');
  const marks = (where: string) =>
    [...page.document.querySelectorAll(`${where} .detail-mark[data-pair]`)].map(
      (mark) => `${mark.getAttribute('data-pair')} ${mark.className.split('detail-').at(-1)}: ${mark.textContent}`,
    );
  expect(marks('.claim-text')).toEqual([
    '1 absent: Orrin Bay',
    '2 same: Edda Marsh',
    '3 same: 1872',
    '4 differs: 40 tonnes',
    '5 differs: 1931',
  ]);
  expect(marks('[aria-labelledby=cited] blockquote')).toEqual([
    '2 same: Edda Marsh',
    '3 same: 1872',
    '4 differs: 25 tonnes',
    '5 differs: March 1934',
  ]);
  expect(marks('[aria-labelledby=suggestion] blockquote')).toEqual([
    '1 same: Orrin Bay',
    '4 same: 40 tonnes',
    '5 same: 1931',
  ]);
  const told = [...page.document.querySelectorAll('[aria-labelledby=cited] .placed li')];
  expect(told.map((line) => line.textContent)).toEqual([
    '1 Orrin Bay not in this passage',
    '2 Edda Marsh stands here',
    '3 1872 stands here',
    '4 40 tonnes differs: “25 tonnes”',
    '5 1931 differs: “March 1934”',
  ]);
});
