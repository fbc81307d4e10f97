/** Text → its words with offsets, each with the stem by which two texts are compared. Numbers are no words here. */
import { findTerms } from '../terms.ts';

export interface Word {
  start: number;
  end: number;
  text: string;
  /** Lower case, without accents. */
  plain: string;
  /** Null for stop words, months, spelled-out numbers and single letters. */
  stem: string | null;
  /** What transliterations leave alone: Yurovsky and Jurowski are `rvsk`. */
  skeleton: string;
}

export function findWords(text: string): Word[] {
  return [...text.matchAll(WORD)].map((match) => {
    const word = match[0];
    return { start: match.index, end: match.index + word.length, text: word, ...known(word) };
  });
}

/** Lower case, without accents and possessive endings. */
export function plainOf(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]s?$/, '');
}

/** Words repeat, on a page as between pages. */
const forms = new Map<string, Form>();

type Form = Pick<Word, 'plain' | 'stem' | 'skeleton'>;

function known(word: string): Form {
  const found = forms.get(word);
  if (found !== undefined) return found;
  const plain = plainOf(word);
  const [stem = null] = findTerms(word).words;
  const form = { plain, stem: stem === null ? null : (SAME.get(stem) ?? stem), skeleton: skeletonOf(plain) };
  if (forms.size > 100_000) forms.clear();
  forms.set(word, form);
  return form;
}

function skeletonOf(plain: string): string {
  return plain
    .replace(/x/g, 'ks')
    .replace(/ph/g, 'f')
    .replace(/[cqz]/g, 'k')
    .replace(/w/g, 'v')
    .replace(/[aeiouyjh]/g, '')
    .replace(/(.)\1+/g, '$1');
}

const WORD = /\p{L}[\p{L}\p{M}]*(?:['’]\p{L}+)?/gu;

/** Words for one thing, by their stems: table headers say "Height" where a sentence says "high". */
const SAME = new Map(
  [
    'height high tall',
    'length long last',
    'width wide',
    'depth deep',
    'weight weigh',
    'popul inhabit resid',
    'found establish creat foundat',
    'open inaugur',
    'born birth',
    'die death dead',
    'kill slain',
    'build built construct',
    'releas issu publish',
    'vote ballot',
    'visitor guest attende',
    'peopl person',
    'buy bought purchas acquir',
    'win won',
    'lose lost',
    'tabl chart',
    'began begin start',
    'marri wed',
    'elect chosen',
  ].flatMap((line) => {
    const [first = '', ...rest] = line.split(' ');
    return rest.map((stem): [string, string] => [stem, first]);
  }),
);
