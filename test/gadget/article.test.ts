/** The gadget in a real browser on a real wiki: which claims it marks, and what its panel says. */
import type { Locator, Page } from 'playwright-core';
import { describeWith } from '../support/describe-with.ts';
import { type Article, articleUrl, type Site, startSite, suggestion } from './site.ts';

const cite = (name: string, title = name) => `{{cite web |url=https://pages.example/${name} |title=${title}}}`;
const ref = (name: string) => `<ref>${cite(name)}</ref>`;

const PLACE = { title: '', start: 0, end: 1 };

const TEXT = `
The mill at Orrin was built in 1802.${ref('built')} It ground oats.${ref('oats')}

Its wheel is 6 m wide and turns in 10<sup>6</sup> litres of water.${ref('wheel')}${ref('water')}
The leat was dug by hand.<ref name="leat">${cite('leat')}</ref> The pond was dug by oxen.<ref name="leat" />
Tull called the miller a thief.{{sfn|Tull|1998|p=4}} The miller sued him.{{sfn|Tull|1998|p=9}}
The miller won.{{citation needed|date=May 2026}} Both died poor.${ref('poor')}{{failed verification|date=May 2026}}

In 1850${ref('flood')} the mill was flooded. In 1851${ref('flood')} the inn was flooded.

* The first miller was Ned Orme.${ref('orme')}
* The second miller was Ada Pell.${ref('orme')}

{| class="wikitable"
! Mill !! Closed !! Source
|-
| Orrin || 1931${ref('closed')} || a
|-
| Tack || 1931${ref('closed')} || b
|-
| Upper || 1940 || ${ref('upper')}
|}

== Works cited ==
* {{cite book |last=Tull |year=1998 |title=Mills of the bay |url=https://pages.example/tull}}

== References ==
{{reflist}}
`;

describeWith(['wiki', 'chromium'], 'on an article', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  }, 60_000);
  afterAll(() => site?.stop());

  describe('a badge stands', () => {
    let article: Article;
    let page: Page;
    beforeAll(async () => {
      article = await site.write('Orrin mill', TEXT);
      for (const words of FOUND.keys()) await article.find(words);
      page = await site.read('Orrin mill');
    });
    afterAll(() => page.close());

    const FOUND = new Map([
      ['built in 1802', 'built in 1802.[1]'],
      ['litres of water', 'litres of water.[3][4]'],
      ['dug by oxen', 'dug by oxen.[5]'],
      ['a thief', 'a thief.[6]'],
      ['The miller won', 'The miller won.[citation needed]'],
      ['died poor', 'died poor.[8][failed verification]'],
      ['inn was flooded', 'In 1850[9] the mill was flooded. In 1851[10]'],
      ['Ada Pell', 'The second miller was Ada Pell.[12]'],
      ['Tack', 'Tack 1931[14]'],
      ['Upper', 'Upper 1940 [15]'],
    ]);

    test('behind each claim and its last marker, and nowhere else', async () => {
      const places = await Promise.all((await page.locator('.sidelight-badge').all()).map(textBefore));
      const expected = [...FOUND.values()];
      expect(places.map((place, i) => place.slice(-(expected[i] ?? '').length))).toEqual(expected);
    });

    test('where the panel that it opens does not hide it, on a screen that has room for both', async () => {
      await page.setViewportSize({ width: 900, height: 400 });
      for (const badge of await page.locator('.sidelight-badge').all()) {
        await badge.click();
        const [at, panel] = await Promise.all([badge.boundingBox(), panelOf(page).boundingBox()]);
        if (at === null || panel === null) throw new Error('a badge or its panel is not shown');
        const isBeside = at.x + at.width <= panel.x || panel.x + panel.width <= at.x;
        expect(isBeside || at.y + at.height <= panel.y).toBe(true);
        await page.keyboard.press('Escape');
      }
    });
  });

  test('a claim that was changed since is not marked, and the list says so', async () => {
    const article = await site.write('Changed mill', `The mill closed in 1931.${ref('a')} The inn stayed.${ref('b')}`);
    await article.find('The mill closed');
    await article.find('The inn stayed');
    await site.admin.save('Changed mill', `The mill closed in 1932.${ref('a')} The inn stayed.${ref('c')}`);
    const page = await site.read('Changed mill');
    expect(await page.locator('.sidelight-badge').count()).toBe(0);
    await openList(page);
    expect(await panelOf(page).getByText('Not found in the text any more.').count()).toBe(2);
    await page.close();
  });

  test('the panel shows evidence and suggestion, closes with Escape and gives the focus back', async () => {
    const article = await site.write('Panel mill', `The mill at Orrin closed in 1932.${ref('a')}`);
    const finding = suggestion('https://better.example/mill', 'The mill closes');
    const list = { list: 'Project:Sources', revision: article.revision, date: '2026-05-03' };
    const reliability = { status: 'generally_reliable', wiki: new URL(site.wiki.origin).host, ...list } as const;
    const better = finding.suggestion && { ...finding.suggestion, reliability };
    await article.find('closed in 1932', { ...finding, suggestion: better, evidence: better?.evidence ?? null });
    const page = await site.read('Panel mill');
    await page.locator('.sidelight-badge').press('Enter');
    const panel = panelOf(page);
    expect(await panel.evaluate((element) => element.ownerDocument.activeElement === element)).toBe(true);
    const text = await panel.textContent();
    for (const part of ['closed in 1932.', 'does not seem to support', 'The mill wheel was last turned', '91%']) {
      expect(text).toContain(part);
    }
    expect(await panel.getByRole('link', { name: 'The mill closes' }).getAttribute('href')).toBe(better?.url);
    expect(text).toContain('The site, one input among many: generally reliable');
    const listed = await panel.getByRole('link', { name: 'Sources, 3 May 2026' }).getAttribute('href');
    expect(listed).toBe(`${site.wiki.origin}/w/index.php?title=Project:Sources&oldid=${article.revision}`);
    await page.keyboard.press('Escape');
    expect(await panel.count()).toBe(0);
    expect(await page.evaluate('document.activeElement.className')).toContain('sidelight-badge');
    await page.close();
  });

  test('the panel marks the words that nothing supports, and says what the page says instead', async () => {
    const article = await site.write('Failing mill', `The mill at Orrin closed in 1932.${ref('a')}${ref('b')}`);
    const text = 'The mill at Orrin closed in 1932.';
    const span = (words: string) => ({ start: text.indexOf(words), end: text.indexOf(words) + words.length });
    const page = { quote: 'in March 1934', url: 'https://pages.example/a', title: 'a', start: 9, end: 22 };
    const mismatch = { code: 'date', claim: span('1932'), page } as const;
    const missing = [span('at Orrin'), span('in 1932')];
    const evidence = { ...page, passage: 'It shut in March 1934.', page: 'xii' };
    const said = { score: 0.07, missing, mismatches: [mismatch], evidence };
    await article.find('closed in 1932', { verdict: 'contradicted', ...said });
    const tab = await site.read('Failing mill');
    const badge = tab.locator('.sidelight-badge');
    expect(await badge.textContent()).toBe('≠');
    await badge.click();
    const panel = panelOf(tab);
    expect(await panel.locator('.sidelight-claim').textContent()).toBe(text);
    expect(await panel.locator('mark').allTextContents()).toEqual(['at Orrin', 'in 1932']);
    const shown = await panel.textContent();
    for (const part of [
      'Page xii',
      'The source seems to say otherwise.',
      'Nothing that was read supports: “at Orrin”, “in 1932”',
      'Date: the claim says “1932”; the page says “in March 1934”',
      'alone: 20% likely to support it',
      'Together: 7% likely to support it',
    ]) {
      expect(shown).toContain(part);
    }
    await tab.close();
  });

  test('what can’t be checked and what is in another language has no badge, and counts as checked', async () => {
    const article = await site.write('Fine mill', `It is the finest mill.${ref('a')} Its inn was open.${ref('de')}`);
    await article.find('finest mill', { verdict: 'uncheckable', uncheckable: 'opinion', score: null, failed: null });
    await article.find('inn was open', { verdict: 'unsupported_language', score: null, failed: null });
    const page = await site.read('Fine mill');
    expect(await toolOf(page).textContent()).toBe('Sidelight: 2 of 2 claims checked');
    expect(await page.locator('.sidelight-badge').count()).toBe(0);
    await openList(page);
    expect(await panelOf(page).getByRole('listitem').count()).toBe(0);
    await page.close();
  });

  test('from the list a finding opens, and back', async () => {
    const article = await site.write('Listed mill', `The mill closed in 1931.${ref('a')} The inn stayed.${ref('b')}`);
    await article.find('The mill closed');
    await article.find('The inn stayed', { verdict: 'unavailable', score: null, reason: 'dead' });
    const page = await site.read('Listed mill');
    await openList(page);
    const panel = panelOf(page);
    expect(await panel.textContent()).toContain('2 of 2 claims checked, 2 to look at.');
    await panel.getByRole('button', { name: 'The inn stayed.' }).click();
    expect(await panel.textContent()).toContain('The source could not be read: the page is gone.');
    expect(await page.locator('.sidelight-badge[aria-expanded="true"]').count()).toBe(1);
    await panel.getByRole('button', { name: 'All on this page' }).click();
    expect(await panel.getByRole('button', { name: 'The mill closed in 1931.' }).count()).toBe(1);
    await page.close();
  });

  test('hostile text in every field of a finding is shown as text, and links to nothing but the web', async () => {
    const hostile = '"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
    const address = `javascript:window.hacked=1//${hostile}`;
    const article = await site.write('Hostile mill', `The <nowiki>${hostile}</nowiki> closed in 1931.${ref('a')}`);
    const [cited] = (await article.find('closed in 1931')).citations;
    const better = suggestion(address, hostile);
    if (cited === undefined || better.suggestion === null) throw new Error('the finding lacks something');
    await article.find('closed in 1931', {
      ...better,
      suggestion: { ...better.suggestion, evidence: { ...better.suggestion.evidence, quote: hostile } },
      evidence: { ...better.suggestion.evidence, quote: hostile, url: address, title: hostile, passage: hostile },
      citations: [{ ...cited, title: hostile, text: hostile, archiveUrl: address, readUrl: address }],
      missing: [{ start: 4, end: 20 }],
      mismatches: [{ code: 'name', claim: { start: 4, end: 20 }, page: { ...PLACE, quote: hostile, url: address } }],
      model: hostile,
      revision: article.revision,
    });
    const page = await site.read('Hostile mill');
    await openList(page);
    await page.locator('.sidelight-badge').last().click();
    const panel = panelOf(page);
    expect(await panel.locator('img, script').count()).toBe(0);
    const links = await panel.getByRole('link').all();
    for (const link of links) expect(await link.getAttribute('href')).toMatch(/^https?:/);
    expect(((await panel.textContent()) ?? '').split(hostile).length).toBeGreaterThan(4);
    expect(await page.evaluate('"hacked" in window')).toBe(false);
    await page.close();
  });

  test('a service that is away is said to be so, and the article is as it was', async () => {
    const article = await site.write('Lonely mill', `The mill closed in 1931.${ref('a')}`);
    await article.find('The mill closed');
    await site.serviceAway(async () => {
      const page = await site.read('Lonely mill');
      await openList(page);
      expect(await panelOf(page).textContent()).toContain('nothing is known about this page');
      expect(await page.locator('#mw-content-text p').first().textContent()).toBe('The mill closed in 1931.[1]\n');
      await page.close();
    });
  });

  test('a page that was not checked, and one without findings, are told apart', async () => {
    await site.admin.save('Unknown mill', `The mill closed in 1931.${ref('a')}`);
    const unknown = await site.read('Unknown mill');
    expect(await toolOf(unknown).textContent()).toBe('Sidelight: not checked yet');
    await unknown.close();
    const article = await site.write('Good mill', `The mill closed in 1931.${ref('a')}`);
    await article.find('The mill closed', { verdict: 'supported', score: 0.9 });
    const good = await site.read('Good mill');
    expect(await toolOf(good).textContent()).toBe('Sidelight: 1 of 1 claim checked');
    expect(await good.locator('.sidelight-badge').count()).toBe(0);
    await good.close();
  });

  test.each(["Tull & Sons' mill: why/how?", 'Moulin d’été (Québec)', 'C++ 100% "mill"', 'Mühle – 水車'])(
    'an article may be called %s',
    async (title) => {
      const article = await site.write(title, `The mill closed in 1931.${ref('a')}`);
      await article.find('The mill closed');
      const page = await site.read(article.title);
      await page.locator('.sidelight-badge').waitFor();
      await page.close();
    },
  );

  test('it does nothing where no article is read', async () => {
    const { title } = await site.write('Plain mill', 'The mill closed in 1931.');
    const page = await site.browser.newPage();
    await page.goto(`${articleUrl(site.wiki, title)}?action=history`);
    await page.waitForFunction("mw.loader.getState('ext.gadget.sidelight') === 'ready'");
    expect(await page.locator('#t-sidelight').count()).toBe(0);
    await page.close();
  });

  test('the wiki’s validator takes the script, and the page logs no error', async () => {
    const { title } = await site.write('Quiet mill', 'The mill closed in 1931.');
    const page = await site.browser.newPage();
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(articleUrl(site.wiki, title));
    await toolOf(page).waitFor({ state: 'attached' });
    expect(errors).toEqual([]);
    await page.close();
  });

  test('what is published already is not saved again', async () => {
    const newest = async () => (await site.admin.query({ list: 'recentchanges', rclimit: 1 })).query?.recentchanges;
    const before = await newest();
    await site.publish();
    expect(await newest()).toEqual(before);
  });

  test('an article that is drawn anew is marked anew, once', async () => {
    const page = await site.read('Listed mill');
    await page.locator('.sidelight-badge').nth(1).waitFor();
    await page.evaluate("mw.hook('wikipage.content').fire($('#mw-content-text'))");
    await page.locator('.sidelight-badge').nth(1).waitFor();
    expect(await page.locator('.sidelight-badge').count()).toBe(2);
    expect(await page.locator('#t-sidelight').count()).toBe(1);
    await page.close();
  });
});

function panelOf(page: Page) {
  return page.getByRole('dialog');
}

function toolOf(page: Page) {
  return page.locator('#t-sidelight a');
}

async function openList(page: Page): Promise<void> {
  await toolOf(page).dispatchEvent('click');
  await panelOf(page).waitFor();
}

/** What a reader sees before a badge in its paragraph, list item or row. */
async function textBefore(badge: Locator): Promise<string> {
  return badge.evaluate((element) => {
    const range = element.ownerDocument.createRange();
    range.setStart(element.closest('p, li, tr') ?? element, 0);
    range.setEndBefore(element);
    const part = range.cloneContents();
    for (const other of part.querySelectorAll('.sidelight-badge')) other.remove();
    return (part.textContent ?? '').replace(/\s+/g, ' ').trim();
  });
}
