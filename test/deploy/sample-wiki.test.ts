/** The sample articles on a real MediaWiki: saved once, and each case of the fixture file is a claim with its citations there. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { extractClaims } from '../../bot/claims/extract.ts';
import { type Case, loadCases } from '../../deploy/sample/cases.ts';
import { editSample, seedWiki, type WikiLogin } from '../../deploy/sample/seed.ts';
import { type Account, apiLogin } from '../../deploy/wiki/accounts.ts';
import type { ClaimPair } from '../../shared/citation.ts';
import { describeWith } from '../support/describe-with.ts';
import { startWiki, type TestWiki } from '../support/wiki.ts';

describeWith(['wiki'], 'the sample on a wiki', () => {
  let wiki: TestWiki;
  const as = (account: Account): WikiLogin => ({
    apiUrl: wiki.apiUrl,
    userAgent: 'Sidelight tests',
    account: apiLogin(account),
  });

  beforeAll(async () => {
    wiki = await startWiki();
    await seedWiki(as(wiki.accounts.admin));
  }, 60_000);
  afterAll(() => wiki.stop());

  test('is not saved again when nothing has changed', async () => {
    expect(await seedWiki(as(wiki.accounts.admin))).toEqual([]);
  });

  test('has the claim of every case, with the citations that the case names', async () => {
    expect(await misfits(wiki, (row) => row.from === null)).toEqual([]);
  });

  test.each(['Main_Page', 'Port_Averil', 'Ottilie_Marlow', 'Kettle_Point_Lighthouse'])(
    'links to no article in red on %s',
    async (title) => {
      const page = await (await fetch(`${wiki.origin}/wiki/${title}`)).text();
      const text = page.slice(page.indexOf('id="mw-content-text"'), page.indexOf('id="catlinks"'));
      expect(text).toContain('href="/wiki/');
      expect(text).not.toContain('redlink=1');
    },
  );

  test('is edited once by the sample editor, and seeding leaves the edits alone', async () => {
    const editor = as(wiki.accounts.editor);
    expect(await editSample(editor, 'bad_citation')).toEqual(expect.any(Number));
    expect(await editSample(editor, 'mended_citation')).toEqual(expect.any(Number));
    expect(await editSample(editor, 'bad_citation')).toBeNull();
    expect(await seedWiki(as(wiki.accounts.admin))).toEqual([]);
    expect(await misfits(wiki, (row) => row.until === null)).toEqual([]);
  });
});

/** Cases whose claim is not there exactly once, or with other citations. */
async function misfits(wiki: TestWiki, holds: (row: Case) => boolean): Promise<unknown[]> {
  const rows = (await loadCases()).filter(holds);
  const pairs = new Map<string, ClaimPair[]>();
  for (const title of new Set(rows.map((row) => row.article))) pairs.set(title, await pairsOf(wiki, title));
  return rows.flatMap((row) => {
    const found = (pairs.get(row.article) ?? []).filter(({ claim }) => claim.text.includes(row.claim));
    const cites = found.map(({ citations }) => citations.flatMap(({ url }) => url ?? []));
    return JSON.stringify(cites) === JSON.stringify([row.cites]) ? [] : [{ case: row.case, claim: row.claim, cites }];
  });
}

async function pairsOf(wiki: TestWiki, title: string): Promise<ClaimPair[]> {
  const response = await fetch(`${wiki.restUrl}/v1/page/${encodeURIComponent(title.replaceAll(' ', '_'))}/html`);
  return extractClaims(await response.text(), title).pairs;
}
