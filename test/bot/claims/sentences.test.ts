import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { extractClaims } from '../../../bot/claims/extract.ts';
import { sentenceStarts } from '../../../bot/claims/sentences.ts';
import { HandChecked } from './hand-checked.ts';
import { page } from './markup.ts';

const Pattern = z.object({ name: z.string(), html: z.string(), claims: z.array(z.string()) });
const patterns = z.array(Pattern).parse(await readJson('patterns.json'));
const handChecked = z.array(HandChecked).parse(await readJson('sentences.json'));

describe('the boundaries of a claim', () => {
  test.each(patterns)('are right for $name', ({ html, claims }) => {
    const { pairs } = extractClaims(page(html), 'Orrin Bay');
    expect(pairs.map(({ claim }) => claim.text)).toEqual(claims);
  });

  test('are hand-checked for 100 sentences of real articles, each of a pattern that is tested here', () => {
    const names = new Set(patterns.map(({ name }) => name));
    expect(handChecked).toHaveLength(100);
    expect(new Set(handChecked.map(({ article, pair }) => `${article} ${pair}`)).size).toBe(100);
    for (const { pattern, start, end } of handChecked) {
      expect(names).toContain(pattern);
      expect(end).toBeGreaterThan(start);
    }
  });
});

describe('sentences', () => {
  test('begin at offsets that cut the text without a rest', () => {
    const text = 'Ode rowed 𝒪 boats. He sank 😀 twice. Nobody saw it.';
    const starts = sentenceStarts(text, 'en');
    expect(starts.map((start) => text.slice(start, start + 6))).toEqual(['Ode ro', 'He san', 'Nobody']);
  });

  test('of a long paragraph are found beyond the part that is read at once', () => {
    const sentence = 'The bay has another boat now. ';
    const starts = sentenceStarts(sentence.repeat(1000), 'en');
    expect(starts).toHaveLength(1000);
    expect(starts.every((start) => start % sentence.length === 0)).toBe(true);
  });

  test('follow the rules of their language, and of English where a language is not known', () => {
    expect(sentenceStarts('La barque est là. Elle est vieille.', 'fr')).toEqual([0, 18]);
    expect(sentenceStarts('The boat is here. It is old.', 'not-a-language')).toEqual([0, 18]);
  });
});

function readJson(file: string): Promise<unknown> {
  return readFile(`test/bot/claims/${file}`, 'utf8').then(JSON.parse);
}
