import { aFinding } from '../../support/examples.ts';
import { openPage, submitForm } from './opened.ts';
import { type Served, type SignedIn, serve } from './served.ts';
import { findingOf, revisionWith, searched } from './store.ts';

let served: Served;
afterEach(() => served.close());

const open = (path: string, as: SignedIn | null = null) => openPage(served.origin, path, as);

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
  await served.decide(1, { decision: 'accept' });
  expect((await open('/')).textOf('main')).toContain('says nothing about claims that are not checked yet');
  expect((await open('/?state=accepted')).textOf('.card')).toContain('Accepted');
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

/** Opens a finding as a person, and decides as its form does. */
async function decideAs(as: SignedIn, path: string, fields: Record<string, string>) {
  const { document } = await open(path, as);
  const form = document.querySelector('form.decide');
  const hidden = [...(form?.querySelectorAll('input[type=hidden]') ?? [])].map((input) => [
    input.getAttribute('name') ?? '',
    input.getAttribute('value') ?? '',
  ]);
  const action = form?.getAttribute('action') ?? '';
  return submitForm(`${served.origin}${action}`, { ...Object.fromEntries(hidden), ...fields }, as.headers);
}

test('a decision leads to the next finding, which says what was decided and offers to undo it', async () => {
  served = await serve(aFinding, findingOf('The quay is of granite.', { score: 0.3 }));
  const ada = await served.signIn('Ada');
  const first = await decideAs(ada, '/findings/1', { decision: 'accept', reason: 'source_silent', comment: '' });
  expect([first.status, first.headers.get('location')]).toEqual([303, '/findings/2?done=1']);
  const next = await open('/findings/2?done=1', ada);
  expect(next.textOf('.notice-success p')).toBe(
    `Accepted: ${aFinding.claim.text} In the article, the gadget offers to mend it.`,
  );
  expect(next.document.querySelector('.done form')?.getAttribute('action')).toBe('/findings/1/undo');
  const last = await decideAs(ada, '/findings/2', { decision: 'skip' });
  expect(last.headers.get('location')).toBe('/?done=2');
});

test('the filter stays in the address while one decides, and while one undoes', async () => {
  served = await serve(aFinding, findingOf('Elsewhere it rains.', { page: { id: 9, title: 'Elsewhere' } }));
  const ada = await served.signIn('Ada');
  const decided = await decideAs(ada, '/findings/1?page=Orrin+Bay', { decision: 'reject' });
  expect(decided.headers.get('location')).toBe('/?page=Orrin+Bay&done=1');
  const settled = await open('/findings/1?page=Orrin+Bay', ada);
  expect(settled.document.querySelector('form.undo')?.getAttribute('action')).toBe('/findings/1/undo?page=Orrin+Bay');
});

test('a reason has one number wherever it is offered, and is offered where it fits', async () => {
  const unread = { verdict: 'unavailable', score: null, reason: 'paywall' } as const;
  served = await serve(aFinding, findingOf('The quay is of granite.', unread));
  const ada = await served.signIn('Ada');
  const offered = async (path: string) =>
    [...(await open(path, ada)).document.querySelectorAll('.reason input')].map(
      (radio) => `${radio.getAttribute('data-key')} ${radio.getAttribute('value')} ${radio.getAttribute('data-fits')}`,
    );
  expect(await offered('/findings/1')).toEqual([
    '0  null',
    '1 source_disagrees accept',
    '2 source_silent accept',
    '3 partly accept',
    '4 source_unreadable reject cant_tell',
    '5 claim_reworded reject cant_tell',
  ]);
  expect(await offered('/findings/2')).toEqual([
    '0  null',
    '4 source_unreadable accept cant_tell',
    '5 claim_reworded reject cant_tell',
  ]);
});

test('who is not signed in reads all of it, and is told where to sign in', async () => {
  served = await serve(aFinding);
  const page = await open('/findings/1?page=Orrin+Bay');
  expect(page.textOf('#deciding')).toBe('Deciding needs an account of the wiki. Sign in');
  expect(page.document.querySelector('#deciding a')?.getAttribute('href')).toBe(
    `/sign-in?to=${encodeURIComponent('/findings/1?page=Orrin+Bay')}`,
  );
  expect(page.textOf('.claim-text')).toContain(aFinding.claim.text);
});

test('an account that is blocked on the wiki reads, and gets no button', async () => {
  served = await serve(aFinding);
  const page = await open('/findings/1', await served.signIn('Cleo', []));
  expect(page.textOf('#deciding')).toContain('This account is blocked on the wiki');
  expect(page.document.querySelector('form.decide')).toBeNull();
});

test('opening a finding takes it; what a browser fetches ahead is taken by nobody', async () => {
  served = await serve(aFinding);
  const ada = await served.signIn('Ada');
  const ahead = { ...ada, headers: { ...ada.headers, 'sec-purpose': 'prefetch;prerender' } };
  await open('/findings/1', ahead);
  const bob = await served.signIn('Bob');
  expect((await open('/findings/1', bob)).document.querySelectorAll('form.decide')).toHaveLength(1);
  const theirs = await open('/findings/1', ada);
  expect(theirs.textOf('.taken p')).toMatch(
    /^Bob looks at this until \d\d:\d\d UTC\. You can read it; deciding is theirs meanwhile\.$/,
  );
  expect(theirs.document.querySelector('form.decide')).toBeNull();
  expect(theirs.document.querySelector('.taken form')?.getAttribute('action')).toBe('/next');
});

test('a form that was not sent from the review page changes nothing', async () => {
  served = await serve(aFinding);
  const { headers, csrf } = await served.signIn('Ada');
  const { cookie = '' } = headers;
  await open('/findings/1', { id: 0, name: '', headers, csrf, cookies: [] });
  const strange: Record<string, string>[] = [
    {},
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'same-site', origin: served.origin },
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  ];
  const fields = { decision: 'accept', _csrf: csrf };
  const path = `${served.origin}/findings/1/decision`;
  for (const others of strange) {
    expect((await submitForm(path, fields, { cookie, ...others })).status).toBe(403);
  }
  const forged = await submitForm(path, { ...fields, _csrf: 'forged' }, { cookie, 'sec-fetch-site': 'same-origin' });
  expect(forged.status).toBe(403);
  expect((await served.findings.get(1)).state).toBe('open');
});

test('a finding says who decided what on it before and why, and that its source has changed since', async () => {
  const on = (contentHash: string, quote: string) => {
    const citations = aFinding.citations.map((citation) => ({ ...citation, contentHash: contentHash.repeat(16) }));
    const at = { url: 'https://orrin.example/mill', title: 'The mill', start: 0, end: quote.length };
    return { ...aFinding, citations, evidence: { quote, ...at, passage: quote } };
  };
  served = await serve(on('a', 'It shut in 1934.'));
  expect((await open('/findings/1')).textOf('main')).not.toContain('Decided so far');
  const comment = 'It says <b>1931</b> on page 2.';
  await served.decide(1, { decision: 'reject', reason: 'claim_reworded', comment });
  expect((await open('/findings/1')).textOf('main')).not.toContain('Open again');
  await served.findings.record({ ...on('b', 'It never shut.'), verdict: 'contradicted' });
  const { textOf, document } = await open('/findings/1', await served.signIn('Ada'));
  expect(textOf('main')).toContain('Open again. A person decided on this before.');
  expect(textOf('.history')).toContain('Rejected by Ada, claim reworded when it was “Not supported” at revision 12');
  expect(textOf('.history-note')).toBe(comment);
  expect(document.querySelectorAll('form.decide')).toHaveLength(1);
});

test('a decision that was undone stays in the history, with the time', async () => {
  served = await serve(aFinding);
  const ada = await served.signIn('Ada');
  await decideAs(ada, '/findings/1', { decision: 'reject' });
  await submitForm(`${served.origin}/findings/1/undo`, { _csrf: ada.csrf }, ada.headers);
  const page = await open('/findings/1', ada);
  expect(page.textOf('.history')).toMatch(/Rejected by Ada .* Undone \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/);
  expect(page.document.querySelectorAll('form.decide')).toHaveLength(1);
});

test('an unknown, a decided and a malformed finding are pages that say so', async () => {
  served = await serve(aFinding);
  expect((await open('/findings/99')).status).toBe(404);
  expect((await open('/findings/x')).status).toBe(400);
  expect((await open('/nowhere')).textOf('h1')).toBe('Not found');
  await served.decide(1, { decision: 'accept' });
  const bob = await served.signIn('Bob');
  const again = await submitForm(
    `${served.origin}/findings/1/decision`,
    { decision: 'reject', _csrf: bob.csrf },
    bob.headers,
  );
  expect(again.status).toBe(409);
  expect(await again.text()).toContain('the citation fails');
  const page = await open('/findings/1', bob);
  expect(page.textOf('#deciding')).toContain('Accepted.');
  expect(page.document.querySelector('.decide, .undo')).toBeNull();
});

test('how often an article is read, and whose it is, stands above its finding', async () => {
  served = await serve(aFinding);
  const at = { wiki: aFinding.wiki, page_id: aFinding.page.id };
  expect((await open('/findings/1')).textOf('.about')).toBe('');
  await served.db
    .insertInto('page_facts')
    .values({ ...at, views: 1204, read_at: '2026-05-03T12:00:00.000Z' })
    .execute();
  for (const name of ['Mills', 'Bays & harbours']) {
    await served.db
      .insertInto('page_groups')
      .values({ ...at, kind: 'project', name })
      .execute();
  }
  await served.findings.reconcile(revisionWith(12, aFinding, findingOf('A second claim.')));
  expect((await open('/findings/1')).textOf('.about')).toBe(
    '1,204 views a day · WikiProject Bays & harbours, Mills 1 of 2 claims of this article checked',
  );
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
