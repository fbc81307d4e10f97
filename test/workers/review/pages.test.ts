import { parseHTML } from 'linkedom';
import { Finding, type Reliability } from '../../../shared/citation.ts';
import { aCitation, aFinding } from '../../support/examples.ts';
import { type Served, serve } from './served.ts';
import { citing, failing, findingOf, revisionWith, searched } from './store.ts';

let served: Served;
afterEach(() => served.close());

async function open(path: string) {
  const response = await fetch(`${served.origin}${path}`);
  const text = await response.text();
  const { document } = parseHTML(text);
  const textOf = (selector: string) => document.querySelector(selector)?.textContent.replace(/\s+/g, ' ').trim();
  return { status: response.status, headers: response.headers, text, document, textOf };
}

function submit(path: string, fields: Record<string, string>, headers: Record<string, string>) {
  return fetch(`${served.origin}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams(fields),
  });
}

const fromOurPage = () => ({ 'sec-fetch-site': 'same-origin', origin: served.origin });

test('before anything is checked the page says so', async () => {
  served = await serve();
  const page = await open('/');
  expect(page.status).toBe(200);
  expect(page.textOf('main')).toContain('Nothing checked yet');
  await served.findings.reconcile(revisionWith(12, aFinding));
  expect((await open('/')).textOf('main')).toContain('Claims found: 1');
});

test('the list shows coverage, the lowest score first, and how many there are of each verdict', async () => {
  served = await serve(findingOf('The quay is of granite.', { score: 0.3 }), searched(aFinding));
  await served.findings.reconcile(
    revisionWith(12, aFinding, findingOf('The quay is of granite.'), findingOf('A third.')),
  );
  const page = await open('/');
  expect(page.textOf('.coverage')).toContain('2 of 3 claims checked');
  expect([...page.document.querySelectorAll('.card-claim')].map((link) => link.textContent)).toEqual([
    aFinding.claim.text,
    'The quay is of granite.',
  ]);
  expect(page.textOf('.card')).toContain('Better source found');
  expect(page.textOf('.chips')).toContain('To review 2');
});

test('a list that is longer than a page leads on', async () => {
  served = await serve(aFinding, findingOf('The quay is of granite.', { score: 0.3 }));
  const first = await open('/?limit=1');
  const more = first.document.querySelector('.more a')?.getAttribute('href') ?? '';
  expect((await open(more)).textOf('.card-claim')).toBe('The quay is of granite.');
});

test('when all is decided the page says what that does not mean', async () => {
  served = await serve(aFinding);
  await served.findings.reconcile(revisionWith(12, aFinding, findingOf('A second claim.')));
  await served.findings.decide(1, { decision: 'accept' });
  expect((await open('/')).textOf('main')).toContain('says nothing about claims that are not checked yet');
  expect((await open('/?state=closed')).textOf('.card')).toContain('Accepted');
});

test('a finding shows the claim, what is cited, and the suggestion with its quote marked', async () => {
  served = await serve(searched(aFinding));
  const page = await open('/findings/1');
  expect(page.textOf('.claim-text')).toBe(`${aFinding.claim.context} ${aFinding.claim.text}[citation]`);
  expect(page.textOf('.score')).toContain('20 % chance');
  expect(page.textOf('[aria-labelledby=cited]')).toContain('The mill');
  expect(page.textOf('[aria-labelledby=suggestion] mark')).toBe('The mill shut in 1931.');
  expect(page.textOf('[aria-labelledby=suggestion]')).toContain('7 of 8 index parts answered');
  const article = page.document.querySelector('.claim .external')?.getAttribute('href');
  expect(article).toContain('http://wiki.example:8143/mediawiki/index.php?title=Orrin_Bay&oldid=12#:~:text=The%20mill');
});

test('an article of a wiki that is not configured is looked for where Wikimedia has it', async () => {
  served = await serve({ ...aFinding, wiki: 'other.example' });
  const article = (await open('/findings/1')).document.querySelector('.claim .external')?.getAttribute('href');
  expect(article).toContain('https://other.example/w/index.php?title=Orrin_Bay&oldid=12');
});

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

describe('of a claim that fails', () => {
  const chipsOf = (page: Awaited<ReturnType<typeof open>>) =>
    [...page.document.querySelectorAll('.chip')].map((chip) => chip.textContent.trim());

  test('the words that nothing supports are marked, in the list and on the page, and said', async () => {
    served = await serve(failing('partially_supported'));
    for (const path of ['/', '/findings/1']) {
      const page = await open(path);
      const marked = [...page.document.querySelectorAll('.missing')].map((mark) => mark.textContent);
      expect(marked).toEqual(['at Orrin Bay', 'in 1931']);
      expect(page.text).toContain(`The mill <mark class="missing" title="Nothing that was read supports this">at`);
    }
    const page = await open('/findings/1');
    expect(page.textOf('.claim-text')).toBe(`${aFinding.claim.context} ${aFinding.claim.text}[citation]`);
    expect(page.textOf('.claim')).toContain('Nothing that was read supports: “at Orrin Bay”, “in 1931”');
  });

  test('words on both sides of the marker are marked on both sides', async () => {
    const finding = failing('not_supported');
    const claim = { ...finding.claim, markerOffset: finding.claim.text.indexOf(' Bay') };
    served = await serve({ ...finding, claim });
    const page = await open('/findings/1');
    expect(page.textOf('.claim-text strong')).toBe('The mill at Orrin[citation] Bay closed in 1931.');
    const marked = [...page.document.querySelectorAll('.claim-text .missing')].map((mark) => mark.textContent);
    expect(marked).toEqual(['at Orrin', ' Bay', 'in 1931']);
  });

  test('words beyond the end of the claim, or said twice, do no harm', async () => {
    const missing = [
      { start: 0, end: 8 },
      { start: 4, end: 8 },
      { start: 30, end: 900 },
      { start: 950, end: 960 },
    ];
    served = await serve({ ...failing('not_supported'), missing });
    const page = await open('/findings/1');
    expect(page.textOf('.claim-text strong')).toBe(`${aFinding.claim.text}[citation]`);
    expect(page.document.querySelectorAll('.claim-text .missing')).toHaveLength(2);
  });

  test('a detail that differs is told in the claim’s words and in the page’s own, with a link to them', async () => {
    served = await serve(failing('not_supported'));
    const page = await open('/findings/1');
    expect(page.textOf('.mismatches li')).toBe('Date: the claim says “1931”; the page says “in March 1934”');
    const link = page.document.querySelector('.mismatches a')?.getAttribute('href');
    expect(link).toBe('https://orrin.example/mill#:~:text=in%20March%201934');
  });

  test('which page differs is named where several are cited', async () => {
    const finding = failing('not_supported');
    const [cited] = finding.citations;
    served = await serve({ ...finding, citations: cited === undefined ? [] : [cited, { ...cited, title: 'Other' }] });
    expect((await open('/findings/1')).textOf('.mismatches li')).toContain('; The mill says “in March 1934”');
  });

  test('that the page says otherwise is a verdict of its own, before all others', async () => {
    served = await serve(aFinding, { ...failing('contradicted'), page: { id: 9, title: 'Elsewhere' } });
    const list = await open('/');
    expect(list.textOf('.card .badge')).toBe('Contradicted');
    expect(chipsOf(list).slice(0, 3)).toEqual(['To review 2', 'Contradicted 1', 'Not supported 1']);
    const page = await open('/findings/2');
    expect(page.textOf('.claim .badge')).toBe('Contradicted');
    expect(page.textOf('.decide-fails')).toContain('The source says otherwise');
  });

  test('how likely it fails altogether is said beside how likely it holds', async () => {
    served = await serve(failing('not_supported'));
    expect((await open('/findings/1')).textOf('.score')).toContain('70 % that it fails altogether.');
  });

  test('another model’s opinion is one line with its name, and what it quotes is found verbatim', async () => {
    served = await serve(failing('not_supported'));
    const page = await open('/findings/1');
    expect(page.textOf('.claim')).toContain('Second opinion (org/other-32b): partly supported');
    expect(page.textOf('.claim details mark')).toBe('in March 1934');
  });

  test('an opinion that did not come is said to be none', async () => {
    served = await serve({ ...aFinding, secondOpinion: { answer: 'timeout', model: 'org/other-32b', evidence: [] } });
    const page = await open('/findings/1');
    expect(page.textOf('.claim')).toContain('Second opinion (org/other-32b): none, it did not answer in time');
    expect(page.document.querySelector('.claim details')).toBeNull();
  });
});

describe('of a claim that was not judged', () => {
  test.each<[string, Partial<Finding>, string]>([
    ['an opinion', { verdict: 'uncheckable', uncheckable: 'opinion' }, 'it is an opinion, which no page can settle'],
    [
      'a calculation',
      { verdict: 'uncheckable', uncheckable: 'routine_calculation' },
      'it is a routine calculation, which needs no source',
    ],
    ['what all know', { verdict: 'uncheckable', uncheckable: 'sky_is_blue' }, 'it is common knowledge'],
    ['another language', { verdict: 'unsupported_language' }, 'in a language in which the model was not measured'],
  ])('%s: the page says why, and nothing about support', async (_name, changes, why) => {
    served = await serve({ ...failing('not_supported'), score: null, failed: null, ...changes });
    const page = await open('/findings/1');
    expect(page.textOf('.claim .notice')).toContain(why);
    expect(page.textOf('.claim .notice')).toContain('This says nothing about support.');
    expect(page.textOf('main')).not.toMatch(/not supported|nothing that was read|citation fails/i);
    expect(page.document.querySelectorAll('.missing, .mismatches, .decide-fails, .decide-fine')).toHaveLength(0);
  });

  test('it is not to be triaged, but counted as checked and found by its verdict', async () => {
    const opinion = { ...aFinding, verdict: 'uncheckable', uncheckable: 'opinion', score: null } as const;
    const foreign = findingOf('Sie schloss 1931.', { verdict: 'unsupported_language', score: null });
    served = await serve(opinion, foreign);
    await served.findings.reconcile(revisionWith(12, opinion, foreign));
    const page = await open('/');
    expect(page.document.querySelectorAll('.card')).toHaveLength(0);
    expect(page.textOf('.coverage')).toContain('2 of 2 claims checked');
    expect(page.textOf('.chips')).toMatch(/To review 0.*Language not judged 1.*Can’t be checked 1/);
    const address = page.document.querySelectorAll('.chip')[7]?.getAttribute('href') ?? '';
    expect((await open(address)).textOf('.card .badge')).toBe('Can’t be checked');
  });

  test('nothing is to be mended when a person agrees', async () => {
    served = await serve({ ...aFinding, verdict: 'uncheckable', uncheckable: 'opinion', score: null });
    await served.findings.decide(1, { decision: 'accept' });
    expect((await open('/?done=1')).textOf('.notice-success')).toBe(`Accepted: ${aFinding.claim.text}`);
    expect((await open('/findings/1')).textOf('main')).toContain('Closed. A person accepted it.');
    expect((await open('/findings/1')).textOf('main')).not.toMatch(/mend|fails/);
  });
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
    const facts = [...page.document.querySelectorAll('.work .facts')].map((line) => line.textContent.trim());
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

test('a decision leads to the next finding, which says what was decided; the last one leads to the list', async () => {
  served = await serve(aFinding, findingOf('The quay is of granite.', { score: 0.3 }));
  const first = await submit('/findings/1/decision', { decision: 'accept', comment: '' }, fromOurPage());
  expect([first.status, first.headers.get('location')]).toEqual([303, '/findings/2?done=1']);
  expect((await open('/findings/2?done=1')).textOf('.notice-success')).toBe(
    `Accepted: ${aFinding.claim.text} In the article, the gadget offers to mend it.`,
  );
  const last = await submit('/findings/2/decision', { decision: 'skip' }, fromOurPage());
  expect(last.headers.get('location')).toBe('/?done=2');
});

test('the filter stays in the address while one decides', async () => {
  served = await serve(aFinding, findingOf('Elsewhere it rains.', { page: { id: 9, title: 'Elsewhere' } }));
  const page = await open('/findings/1?page=Orrin+Bay');
  const action = page.document.querySelector('.decide')?.getAttribute('action') ?? '';
  const decided = await submit(action, { decision: 'reject' }, fromOurPage());
  expect(decided.headers.get('location')).toBe('/?page=Orrin+Bay&done=1');
});

test('a form that was not sent from the review page changes nothing', async () => {
  served = await serve(aFinding);
  const strange: Record<string, string>[] = [
    {},
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'same-site', origin: served.origin },
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  ];
  for (const headers of strange) {
    expect((await submit('/findings/1/decision', { decision: 'accept' }, headers)).status).toBe(403);
  }
  expect((await served.findings.get(1)).state).toBe('open');
});

test('a finding says what was decided on it before, and that its source has changed since', async () => {
  const on = (contentHash: string, quote: string) => {
    const citations = aFinding.citations.map((citation) => ({ ...citation, contentHash: contentHash.repeat(16) }));
    const at = { url: 'https://orrin.example/mill', title: 'The mill', start: 0, end: quote.length };
    return { ...aFinding, citations, evidence: { quote, ...at, passage: quote } };
  };
  served = await serve(on('a', 'It shut in 1934.'));
  expect((await open('/findings/1')).textOf('main')).not.toContain('Decided so far');
  await served.findings.decide(1, { decision: 'reject', comment: 'It says <b>1931</b> on page 2.' });
  expect((await open('/findings/1')).textOf('main')).not.toContain('Open again');
  await served.findings.record({ ...on('b', 'It never shut.'), verdict: 'contradicted' });
  const { textOf, document } = await open('/findings/1');
  expect(textOf('main')).toContain('Open again. A person decided on this before.');
  expect(textOf('main')).toContain('Rejected when it was “Not supported” at revision 12');
  expect(textOf('main')).toContain('It says <b>1931</b> on page 2.');
  expect(document.querySelectorAll('form.decide')).toHaveLength(1);
  const told = await (await fetch(`${served.origin}/api/findings/1/decisions`)).json();
  expect(told).toMatchObject({ decisions: [{ decision: 'reject', verdict: 'not_supported' }] });
});

test('an unknown, a decided and a malformed finding are pages that say so', async () => {
  served = await serve(aFinding);
  expect((await open('/findings/99')).status).toBe(404);
  expect((await open('/findings/x')).status).toBe(400);
  expect((await open('/nowhere')).textOf('h1')).toBe('Not found');
  await served.findings.decide(1, { decision: 'accept' });
  const again = await submit('/findings/1/decision', { decision: 'reject' }, fromOurPage());
  expect(again.status).toBe(409);
  expect(await again.text()).toContain('the citation fails');
  const page = await open('/findings/1');
  expect(page.document.querySelector('.decide')).toBeNull();
});

test('hostile text is inert in every field', async () => {
  const nasty = `"'><script>alert(1)</script><img src=x onerror=alert(2)>`;
  const url = `javascript:alert(3)//${nasty}`;
  const evidence = { quote: nasty, url, title: nasty, start: 0, end: 9, passage: `before ${nasty} after` };
  const hostile: Finding = {
    ...findingOf(nasty),
    claim: { ...findingOf(nasty).claim, context: nasty, section: [nasty], title: nasty, markerOffset: 4 },
    page: { id: 7, title: nasty },
    model: nasty,
    citations: [
      {
        ...aCitation,
        url,
        archiveUrl: url,
        title: nasty,
        text: nasty,
        score: 0.1,
        reason: 'dead',
        readUrl: url,
        archivedAt: null,
        reliability: null,
      },
    ],
    evidence,
    missing: [{ start: 2, end: 12 }],
    mismatches: [{ code: 'name', claim: { start: 1, end: 20 }, page: evidence }],
    secondOpinion: { answer: 'contradicted', model: nasty, evidence: [evidence] },
    suggestion: { url, title: nasty, score: 0.9, evidence, reliability: null },
    searched: { shardsAsked: 1, shardsAnswered: 1, missing: [] },
  };
  served = await serve(hostile);
  await served.findings.decide(1, { decision: 'skip', comment: nasty });
  const query = new URLSearchParams({ page: nasty, wiki: nasty, done: '1' });
  for (const path of [
    '/',
    '/findings/1?done=1',
    `/?${query}`,
    `/findings/1?${query}`,
    `/${encodeURIComponent(nasty)}`,
  ]) {
    const page = await open(path);
    const scripts = [...page.document.querySelectorAll('script')].map((script) => script.getAttribute('src'));
    expect(scripts).toEqual([expect.stringMatching(/^\/static\//)]);
    expect(page.document.querySelectorAll('[onerror], img:not([alt=""])')).toHaveLength(0);
    expect(page.text).not.toMatch(/href="javascript:/i);
  }
});

test('pages allow nothing inline and nothing from elsewhere, and what they name is there', async () => {
  served = await serve(aFinding);
  const page = await open('/');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  expect(page.document.querySelectorAll('[style], style')).toHaveLength(0);
  const named = [...page.document.querySelectorAll('link, script, img')].map(
    (element) => element.getAttribute('href') ?? element.getAttribute('src') ?? '',
  );
  for (const path of named) expect((await fetch(`${served.origin}${path}`)).status).toBe(200);
});
