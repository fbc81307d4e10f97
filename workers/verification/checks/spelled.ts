/** Numbers in words → values. "One" alone is no number: it is a pronoun as often. Nothing above billions. */

export interface Spelled {
  start: number;
  end: number;
  low: number;
  /** Above `low` for "hundreds of", "several thousand". */
  high: number;
}

export function findSpelled(text: string): Spelled[] {
  const found: Spelled[] = [];
  for (const match of text.matchAll(SPELLED)) {
    const words = match[0].toLowerCase().split(/[\s-]+/);
    const value = readNumber(words);
    if (value !== null && !(words.length === 1 && value < 2))
      found.push({ start: match.index, end: match.index + match[0].length, low: value, high: value });
  }
  for (const match of text.matchAll(VAGUE)) {
    const low = match[0]
      .toLowerCase()
      .split(/[\s-]+/)
      .reduce((product, word, at) => (product * (LEAST.get(word) ?? 1)) / (at > 0 && word.endsWith('s') ? 2 : 1), 1);
    found.push({ start: match.index, end: match.index + match[0].length, low, high: low * 10 });
  }
  return found;
}

/** "two hundred and fifty thousand" → 250000; null where the words make no number. */
function readNumber(words: readonly string[]): number | null {
  let total = 0;
  let group = 0;
  for (const word of words) {
    const scale = SCALES.get(word) ?? 1;
    if (scale === 1) group = addWord(group, word);
    else if (scale < 1000) group = (group || 1) * scale;
    else {
      total += (group || 1) * scale;
      group = 0;
    }
  }
  return total + group || null;
}

function addWord(group: number, word: string): number {
  if (word === 'half') return 0.5;
  return word === 'a' || word === 'an' ? group || 1 : group + (SMALL.get(word) ?? 0);
}

const TEENS =
  'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety';
const SMALL = new Map<string, number>([
  ...'one two three four five six seven eight nine'.split(' ').map((word, at): [string, number] => [word, at + 1]),
  ...TEENS.split(' ').map((word, at): [string, number] => [word, at <= 10 ? at + 10 : (at - 8) * 10]),
]);
const SCALES = new Map([
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1000],
  ['million', 1e6],
  ['billion', 1e9],
]);
/** "Dozens of", "several hundred": at least two of them. */
const LEAST = new Map([
  ['dozens', 20],
  ['hundreds', 200],
  ['thousands', 2000],
  ['millions', 2e6],
  ...[...SCALES].map(([word, value]): [string, number] => [word, value]),
  ['several', 2],
  ['few', 2],
  ['many', 2],
]);
const NUMBER_WORD = [...SMALL.keys(), ...SCALES.keys()].join('|');
const SPELLED = new RegExp(
  `(?<![\\p{L}\\d-]|several |few |many |\\d )(?:(?:an?|half an?) (?=${[...SCALES.keys()].join('|')}))?(?:${NUMBER_WORD})(?:(?:[ -]| and )(?:${NUMBER_WORD}))*(?![\\p{L}])(?!-(?:off|to)\\b)`,
  'giu',
);
const VAGUE =
  /\b(?:(?:dozens|hundreds|thousands|millions)(?: of (?:thousands|millions))?|(?:several|few|many) (?:dozen|hundred|thousand|million))\b/gi;
