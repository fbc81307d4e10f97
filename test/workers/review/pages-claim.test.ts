import type { Finding } from '../../../shared/citation.ts';
import { aFinding } from '../../support/examples.ts';
import { openPage } from './opened.ts';
import { type Served, serve } from './served.ts';
import { failing, findingOf, revisionWith } from './store.ts';

let served: Served;
afterEach(() => served.close());

const open = (path: string) => openPage(served.origin, path);

describe('of a claim that fails', () => {
  const chipsOf = (page: Awaited<ReturnType<typeof openPage>>) =>
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
    expect(page.textOf('.mismatch')).toBe('Date: the claim says “1931”; the page says “in March 1934”');
    const link = page.document.querySelector('.mismatch a')?.getAttribute('href');
    expect(link).toBe('https://orrin.example/mill#:~:text=in%20March%201934');
  });

  test('which page differs is named where several are cited', async () => {
    const finding = failing('not_supported');
    const [cited] = finding.citations;
    served = await serve({ ...finding, citations: cited === undefined ? [] : [cited, { ...cited, title: 'Other' }] });
    expect((await open('/findings/1')).textOf('.mismatch')).toContain('; The mill says “in March 1934”');
  });

  test('that the page says otherwise is a verdict of its own, before all others', async () => {
    served = await serve(aFinding, { ...failing('contradicted'), page: { id: 9, title: 'Elsewhere' } });
    const list = await open('/');
    expect(list.textOf('.card .badge')).toBe('Contradicted');
    expect(chipsOf(list).slice(0, 3)).toEqual(['To review 2', 'Contradicted 1', 'Not supported 1']);
    const page = await openPage(served.origin, '/findings/2', await served.signIn('Ada'));
    expect(page.textOf('.claim .badge')).toBe('Contradicted');
    expect(page.textOf('.decide-fails')).toContain('The source says otherwise');
  });

  test('how likely it is that nothing is supported is said beside how likely all of it is', async () => {
    served = await serve(failing('not_supported'));
    const said = (await open('/findings/1')).textOf('.score');
    expect(said).toContain('chance that what is cited supports all of this claim');
    expect(said).toContain('70 % that it supports nothing of it.');
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
    expect(
      page.document.querySelectorAll('.missing, .mismatch, .detail-mark, .decide-fails, .decide-fine'),
    ).toHaveLength(0);
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
    await served.decide(1, { decision: 'accept' });
    expect((await open('/?done=1')).textOf('.notice-success')).toBe(`Accepted: ${aFinding.claim.text}`);
    expect((await open('/findings/1')).textOf('main')).toContain('Closed. A person accepted it.');
    expect((await open('/findings/1')).textOf('main')).not.toMatch(/mend|fails/);
  });
});

describe('what a score has meant', () => {
  test('is told by the published figures of the model, with their source, while few were decided here', async () => {
    served = await serve({ ...failing('not_supported'), model: 'verifier-2', score: 0.08 });
    expect((await open('/findings/1')).textOf('.score-meaning')).toBe(
      'Of citations with this score (0 to 10 %), 9 in 10 failed: 72 of 77 in the model’s published test. Too few were decided here to tell.',
    );
  });

  test('is told the other way round of a claim that is supported', async () => {
    served = await serve({ ...aFinding, model: 'verifier-2', verdict: 'supported', score: 0.9 });
    expect((await open('/findings/1')).textOf('.score-meaning')).toContain('8 in 10 were fine: 29 of 37');
  });

  test('is told by what people decided here, once that is enough', async () => {
    const others = Array.from({ length: 20 }, (_, at) =>
      findingOf(`Claim ${at}.`, { score: 0.05, model: 'verifier-2' }),
    );
    served = await serve({ ...aFinding, model: 'verifier-2', score: 0.08 }, ...others);
    for (const at of others.keys()) await served.decide(at + 2, { decision: at < 2 ? 'reject' : 'accept' });
    expect((await open('/findings/1')).textOf('.score-meaning')).toBe(
      'Of findings with this score (0 to 10 %), 9 in 10 were confirmed: 18 of 20 that people decided on here.',
    );
  });

  test('is not told of a model of which nothing is known: its chance alone is', async () => {
    served = await serve(aFinding);
    const page = await open('/findings/1');
    expect(page.textOf('.score')).toContain('20 % chance');
    expect(page.document.querySelector('.score-meaning')).toBeNull();
  });
});
