/** Made-up prose for benchmarks, the same in every run: words of syllables, as frequent as Zipf's law has it. */
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

export interface Prose {
  words(count: number): string;
  /** Capitalised, with a full stop. */
  sentence(words: number): string;
  /** Paragraphs of about five sentences. */
  page(words: number): string;
}

/** As many as the prose of a hundred thousand passages has that are not rare names. */
const VOCABULARY = 60_000;
const SYLLABLES =
  'ba be bo da de do fa ga ka ke la le li lo ma me mi mo na ne no pa ra re ri ro sa se so ta te ti to va'.split(' ');

export function createProse(seed: number): Prose {
  const random = xoroshiro128plus(seed);
  const uniform = () => uniformFloat64(random);
  // rank r with probability ~ 1 / r: r = N^u
  const word = () => spell(Math.floor(VOCABULARY ** uniform()));
  const words = (count: number) => Array.from({ length: count }, word).join(' ');
  const sentence = (count: number) => {
    const text = words(count);
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  };
  return {
    ...{ words, sentence },
    page(count) {
      const sentences = Array.from({ length: Math.ceil(count / 18) }, () => sentence(12 + Math.floor(uniform() * 12)));
      return sentences.map((text, at) => (at % 5 === 4 ? `${text}\n` : `${text} `)).join('');
    },
  };
}

/** Frequent words are short. */
function spell(rank: number): string {
  let [rest, word] = [rank, ''];
  do {
    word += SYLLABLES[rest % SYLLABLES.length];
    rest = Math.floor(rest / SYLLABLES.length);
  } while (rest > 0);
  return word;
}
