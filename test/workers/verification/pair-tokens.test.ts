import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { readTokenizer } from '../../../workers/verification/pair-tokens.ts';

const MAX_TOKENS = 288;
const tokenizerJson = JSON.parse(await readFile('workers/models/cross-encoder/tokenizer.json', 'utf8'));
const tokenize = readTokenizer(tokenizerJson, MAX_TOKENS);

/** A text and how often it is repeated. */
const Repeated = z.tuple([z.string(), z.int()]);
const Expected = z.array(z.object({ claim: Repeated, text: Repeated, ids: z.array(z.int()), claimTokens: z.int() }));
/** By pair-tokens.py: what transformers gives. */
const expected = Expected.parse(JSON.parse(await readFile('test/workers/verification/pair-tokens.json', 'utf8')));

test.each(expected)(
  '$claim beside $text: the tokens are those that the model was trained on',
  ({ claim, text, ids, claimTokens }) => {
    const found = tokenize({ claim: claim[0].repeat(claim[1]), text: text[0].repeat(text[1]) });
    expect(found.ids).toEqual(ids);
    expect(found.types).toEqual(ids.map((_, at) => (at < claimTokens ? 0 : 1)));
  },
);

test('a claim that takes more than half of the tokens is cut to half, and the text has the rest', () => {
  const { ids, types } = tokenize({ claim: 'keeper '.repeat(5000), text: 'light '.repeat(5000) });
  expect(ids).toHaveLength(MAX_TOKENS);
  expect(types.lastIndexOf(0)).toBe(MAX_TOKENS / 2 - 1);
  const [separator] = tokenize({ claim: 'keeper', text: 'light' }).ids.slice(-1);
  expect(ids[MAX_TOKENS / 2 - 1]).toBe(separator);
  expect(ids.at(-1)).toBe(separator);
});

test('of an endless page only the beginning is read', () => {
  const late = `${' '.repeat(2_000_000)}light`;
  expect(tokenize({ claim: 'A claim.', text: late })).toEqual(tokenize({ claim: 'A claim.', text: '' }));
});
