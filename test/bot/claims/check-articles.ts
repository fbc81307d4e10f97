/**
 * Extraction over a folder of real articles, by hand: `npm run build && node .build/test/bot/claims/check-articles.js FOLDER
 * WIKI`, where FOLDER holds *.wikitext and WIKI is a wiki's script path. Compares the uses of references with a count in the
 * wikitext, the text of the claims with what markup looks like, and the hand-checked claims with sentences.json.
 */
import { readdir, readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type Extraction, extractClaims } from '../../../bot/claims/extract.ts';
import { HandChecked } from './hand-checked.ts';
import { renderWikitext } from './parsoid.ts';

/** What a reader never sees. */
const MARKUP = /\[\d+\]|\{\{|\}\}|\[\[|\]\]|<ref|''|citation needed|Template:| {2}|^\s|\s$|&[a-z]+;/i;
const [folder = '.', wiki = 'http://127.0.0.1:8143/w'] = process.argv.slice(2);
const handChecked = z.array(HandChecked).parse(JSON.parse(await readFile('test/bot/claims/sentences.json', 'utf8')));
const files = (await readdir(folder)).filter((file) => file.endsWith('.wikitext'));
const checks = [];
for (const file of files) checks.push(await checkArticle(file));

const right = checks.reduce((sum, { handCheckedRight }) => sum + handCheckedRight, 0);
process.stdout.write(`${JSON.stringify({ articles: checks, handChecked: handChecked.length, right }, null, 1)}\n`);
process.exitCode = checks.every(({ refUses, inWikitext, unclean }) => refUses === inWikitext && unclean.length === 0)
  ? 0
  : 1;

async function checkArticle(file: string) {
  const article = file.replace('.wikitext', '');
  const wikitext = await readFile(`${folder}/${file}`, 'utf8');
  const extraction = extractClaims(await renderWikitext(wiki, article, wikitext), article);
  const expected = handChecked.filter((entry) => entry.article === article);
  return {
    article,
    inWikitext: countUses(wikitext),
    refUses: extraction.refUses,
    citations: extraction.citations,
    pairs: extraction.pairs.length,
    unpaired: Object.fromEntries(countReasons(extraction)),
    unclean: extraction.pairs.flatMap(({ claim }) => [claim.text, claim.context]).filter((text) => MARKUP.test(text)),
    handCheckedRight: expected.filter((entry) => isRight(entry, extraction)).length,
  };
}

function isRight(entry: HandChecked, { pairs }: Extraction): boolean {
  const claim = pairs[entry.pair]?.claim;
  const start = claim === undefined || claim.context === '' ? 0 : claim.context.length + 1;
  return claim?.hash === entry.hash && start === entry.start && start + claim.text.length === entry.end;
}

/** Uses of `<ref>` outside of comments and nowiki, less the definitions in a reference list. */
function countUses(wikitext: string): number {
  const text = wikitext.replace(/<!--.*?-->|<nowiki>.*?<\/nowiki>|<references\b[^>/]*>.*?<\/references>/gis, '');
  return text.match(/<ref(?=[\s>/])/gi)?.length ?? 0;
}

function countReasons({ unpaired }: Extraction): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { reason } of unpaired) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts;
}
