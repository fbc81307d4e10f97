/** Text → names (capitalised words inside a sentence), and whether two are spellings, parts or abbreviations of one. */
import { plainOf, type Word } from './words.ts';

export interface Name {
  start: number;
  end: number;
  text: string;
  /** Its capitalised words but for titles. */
  parts: Word[];
  /** Of all its content words. */
  stems: string[];
  /** Opens the sentence: may be a common word. */
  opens: boolean;
}

/** `words`: those of `text`. */
export function findNames(text: string, words: readonly Word[]): Name[] {
  return [...text.matchAll(NAME)].flatMap((match) => {
    const name = trimName(match[0], match.index);
    if (name === null) return [];
    const opens =
      /^[\s"“'(]*$/.test(text.slice(0, name.start)) ||
      /[.!?:;“"] $/.test(text.slice(Math.max(0, name.start - 2), name.start));
    const inside = words.filter(({ start, end }) => start >= name.start && end <= name.end);
    const parts = inside.filter(({ text, plain }) => plain.length > 1 && /^\p{Lu}/u.test(text) && !TITLES.has(plain));
    if (parts.length === 0 || (opens && parts.length === 1)) return [];
    return [{ ...name, parts, stems: inside.flatMap(({ stem }) => (stem === null ? [] : [stem])), opens }];
  });
}

/** What a page's words say of names, to look up the claim's names in. */
export interface KnownNames {
  words: Set<string>;
  skeletons: Set<string>;
  /** First four letters: "Carvenian" is of Carvenia. */
  beginnings: Set<string>;
}

export function knowNames(words: Iterable<Word>): KnownNames {
  const known: KnownNames = { words: new Set(), skeletons: new Set(), beginnings: new Set() };
  for (const { plain, skeleton } of words) {
    known.words.add(plain);
    known.skeletons.add(skeleton);
    if (plain.length >= 4) known.beginnings.add(plain.slice(0, 4));
  }
  return known;
}

/** In any spelling: its last word (a surname), more than half of its words, or its initials. */
export function isKnown({ parts }: Name, known: KnownNames): boolean {
  const initials = parts.map(({ plain }) => plain[0]).join('');
  if (initials.length > 1 && known.words.has(initials)) return true;
  const found = parts.map((part) => isKnownWord(part, known));
  return found.at(-1) === true || found.filter(Boolean).length * 2 > parts.length;
}

function isKnownWord({ plain, skeleton }: Word, known: KnownNames): boolean {
  if (known.words.has(plain)) return true;
  if (plain.length < 4) return false;
  return known.beginnings.has(plain.slice(0, 4)) || (skeleton.length >= 2 && known.skeletons.has(skeleton));
}

/** Without months, weekdays and stop words at its ends; null if nothing is left. */
function trimName(text: string, start: number): { text: string; start: number; end: number } | null {
  const words = [...text.matchAll(/\S+/g)];
  const isName = (word: string) =>
    /^["“'(]?\p{Lu}/u.test(word) && !COMMON.has(plainOf(word.replace(/[^\p{L}'’]/gu, '')));
  const first = words.find(([word]) => isName(word));
  const last = words.findLast(([word]) => isName(word));
  if (first === undefined || last === undefined) return null;
  const end = last.index + last[0].length;
  return { text: text.slice(first.index, end), start: start + first.index, end: start + end };
}

const NAME =
  /(?<![\p{L}\p{M}\d])\p{Lu}[\p{L}\p{M}'’.&]*(?:(?:[ -]| (?:of|the|of the|for|and|de|du|van|von|der|den|al|la|le|del|di|da|dos|bin|ibn|&) )\p{Lu}[\p{L}\p{M}'’.&]*)*/gu;
const TITLES = new Set(
  'mr mrs ms dr sir dame lord lady prof professor saint st president king queen prince princess the'.split(' '),
);
const COMMON = new Set(
  `january february march april may june july august september october november december monday tuesday wednesday thursday
  friday saturday sunday the a an in on at of for and but or by with from to as it its he his she her they their we our you your i
  this that these those there when where while who which what how after before during since although though if because however
  no not one two three some many most all both each every other another such new also according`.split(/\s+/),
);
