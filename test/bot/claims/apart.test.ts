/** Claims read in processes of their own, as the bot has it: real pages of this test's own. */

import { type ClaimsApart, openClaimsApart } from '../../../bot/claims/apart.ts';
import { extractClaims } from '../../../bot/claims/extract.ts';
import type { Known } from '../../../bot/vocabulary/known.ts';
import { toVocabulary } from '../../../bot/vocabulary/known.ts';
import type { WikiVocabulary } from '../../../bot/vocabulary/wiki-vocabulary.ts';

const NOTHING: Known = { readAt: 0, names: {}, templateData: false, templates: {} };
const TAG =
  '<sup class="noprint" typeof="mw:Transclusion" data-mw=\'{"parts":[{"template":{"target":{"wt":"Quelle fehlt","href":"./Vorlage:Quelle_fehlt"},"params":{}}}]}\'>[?]</sup>';
const PAGE = `<html lang="de"><body><p>Die Mühle wurde 1931 geschlossen.${TAG}</p></body></html>`;

let apart: ClaimsApart;
afterEach(() => apart?.close());

function open(vocabulary: WikiVocabulary): ClaimsApart {
  apart = openClaimsApart(vocabulary);
  return apart;
}

test('a child reads what this process reads', async () => {
  const { extract } = open({ for: async () => toVocabulary(NOTHING), knownFor: async () => NOTHING });
  const html = '<p>The mill closed.<sup typeof="mw:Extension/ref" id="a"></sup></p>';
  expect(await extract(html, 'Mill')).toEqual(extractClaims(html, 'Mill'));
});

test('a template that the wiki knows more of is asked for, and the page is read once more with that', async () => {
  const more: Known = { ...NOTHING, readAt: 1, names: { 'quelle fehlt': 'citation_needed' } };
  const asked: string[][] = [];
  const knownFor = async (titles: readonly string[]) => {
    asked.push([...titles]);
    return asked.length === 1 ? NOTHING : more;
  };
  const { extract } = open({ for: async () => toVocabulary(more), knownFor });
  const { pairs } = await extract(PAGE, 'Mühle');
  expect(pairs.map(({ claim }) => claim.trigger)).toEqual(['citation_needed']);
  expect(asked).toHaveLength(2);
});

test('whoever stops waiting has the signal’s reason', async () => {
  const { extract } = open({ for: async () => toVocabulary(NOTHING), knownFor: async () => NOTHING });
  const reason = new Error('stopped');
  await expect(extract(PAGE, 'Mühle', AbortSignal.abort(reason))).rejects.toBe(reason);
});
