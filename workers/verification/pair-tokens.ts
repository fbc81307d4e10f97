/** A claim and a text → the tokens of both in one sequence, as the model was trained to read them. Pads nothing. */
import { Tokenizer } from '@huggingface/tokenizers';

export interface Pair {
  /** What is said, with title, section and context. */
  claim: string;
  /** What might support it. */
  text: string;
}

export interface PairTokens {
  ids: number[];
  /** Of each token: 0 on the claim's side, 1 on the text's. */
  types: number[];
}

export type TokenizePair = (pair: Pair) => PairTokens;

/**
 * From the contents of a tokenizer.json; throws where they are none. What doesn't fit in `maxTokens` is cut off the text, as
 * transformers does with `truncation="only_second"`; a claim that takes more than half of them is cut to half first, so that
 * there is always something to read.
 */
export function readTokenizer(json: object, maxTokens: number): TokenizePair {
  const tokenizer = new Tokenizer(json, {});
  const half = Math.floor(maxTokens / 2);
  return ({ claim, text }) => {
    const whole = encode(tokenizer, cutText(claim, half), cutText(text, maxTokens));
    const claimTokens = whole.types.lastIndexOf(0) + 1;
    if (claimTokens > half) cutTokens(whole, half - 1, claimTokens - 1);
    // the last token ends the sequence
    if (whole.ids.length > maxTokens) cutTokens(whole, maxTokens - 1, whole.ids.length - 1);
    return whole;
  };
}

function encode(tokenizer: Tokenizer, claim: string, text: string): PairTokens {
  // '' would be taken for no text at all, and the separator behind it be missing
  const { ids, token_type_ids: types } = tokenizer.encode(claim, {
    text_pair: text === '' ? ' ' : text,
    return_token_type_ids: true,
  });
  return { ids, types };
}

function cutTokens({ ids, types }: PairTokens, from: number, to: number): void {
  ids.splice(from, to - from);
  types.splice(from, to - from);
}

/** No token is longer than 20 characters on average: the rest of an endless page would be cut off anyway. */
function cutText(text: string, tokens: number): string {
  return text.slice(0, tokens * 20);
}
