/** A sentence → its words that say yes or no of something: negated words, and words that have an opposite. Compares nothing. */

import type { Span } from '../../../shared/citation.ts';
import type { Sentence } from './reading.ts';
import type { Word } from './words.ts';

export interface Stance {
  /** What it is a stance on: one name for both of two opposites, else the word's stem. */
  about: string;
  /** Negated, or the second of two opposites; a negated second is the first again. */
  reversed: boolean;
  /** It has an opposite by itself. */
  paired: boolean;
  /** Where the word stands, with its negation. */
  start: number;
  end: number;
  /** Among the sentence's words. */
  at: number;
}

/** In order, of the first 300 words. */
export function findStances({ text, words }: Sentence): Stance[] {
  const read = words.slice(0, MAX_WORDS);
  const negations = findNegations(text, read);
  return read.flatMap((word, at) => {
    const pair = pairOf(read, at);
    const about = pair?.about ?? keyOf(word);
    if (about === null) return [];
    const cues = negations.get(at) ?? [];
    const first = Math.min(pair?.start ?? word.start, ...cues.map(({ start }) => start));
    const reversed = (pair?.second ?? false) !== (cues.length % 2 === 1);
    return [{ about, reversed, paired: pair !== null, start: first, end: word.end, at }];
  });
}

/** A negation that says something else than no ("not until 1912", "no fewer than"), a word that takes back, or a question, near the span. */
export function isInvolved(text: string, { start, end }: Span): boolean {
  return INVOLVED.test(text.slice(Math.max(0, start - 90), end + 60)) || /\?["”]?\s*$/.test(text.slice(-20));
}

/** The stem; that of the present for irregular verbs. Null where the word carries no content. */
export function keyOf({ plain, stem }: Word): string | null {
  return IRREGULAR.get(plain) ?? stem;
}

/** Words' places → the negations that bind them: the next content word, no comma between. */
function findNegations(text: string, words: readonly Word[]): Map<number, Word[]> {
  const bound = new Map<number, Word[]>();
  words.forEach((cue, at) => {
    if (!isNegation(words, at)) return;
    const target = boundBy(text, words, at);
    for (const place of target === null ? [] : [target, ...alternativesTo(words, target)]) {
      bound.set(place, [...(bound.get(place) ?? []), cue]);
    }
  });
  return bound;
}

function boundBy(text: string, words: readonly Word[], cue: number): number | null {
  for (let at = cue + 1; at < Math.min(words.length, cue + REACH); at += 1) {
    const [before, word] = [words[at - 1], words[at]];
    if (before === undefined || word === undefined || /[^\s'’“”"-]/.test(text.slice(before.end, word.start)))
      return null;
    if (CLAUSE.has(word.plain)) return null;
    const isSkipped = PASSED.has(word.plain) || (/ly$/.test(word.plain) && at < cue + 3);
    if (!isSkipped && !isNegation(words, at) && (keyOf(word) !== null || PAIRS.has(word.plain))) return at;
  }
  return null;
}

/** "Not sliced or indexed" is neither. */
function alternativesTo(words: readonly Word[], target: number): number[] {
  return words[target + 1]?.plain === 'or' && words[target + 2] !== undefined ? [target + 2] : [];
}

function isNegation(words: readonly Word[], at: number): boolean {
  const plain = words[at]?.plain ?? '';
  if (NEGATIONS.has(plain) || /n['’]t$/.test(plain)) return true;
  return UNDONE.test(plain) && /^(?:to|from)$/.test(words[at + 1]?.plain ?? '');
}

function pairOf(words: readonly Word[], at: number): { about: string; second: boolean; start: number } | null {
  const word = words[at];
  const before = words[at - 1];
  if (word === undefined) return null;
  if (word.plain === 'favour' || word.plain === 'favor')
    return before?.plain === 'in' ? { about: FAVOUR, second: false, start: before.start } : null;
  if (word.plain === 'for' || word.plain === 'against')
    return before?.stem === 'vote' ? { about: FAVOUR, second: word.plain === 'against', start: word.start } : null;
  const pair = PAIRS.get(word.plain);
  return pair === undefined ? null : { ...pair, start: word.start };
}

const MAX_WORDS = 300;
/** Words from a negation to what it negates. */
const REACH = 6;
const NEGATIONS = new Set('not never no nobody none neither nor without cannot'.split(' '));
const UNDONE =
  /^(?:declin(?:ed?|es|ing)|refus(?:ed?|es|ing)|fail(?:ed|s|ing)?|unable|forbidden|prohibited|banned|barred|prevented)$/;
const CLAUSE = new Set('and but or that which who because although though while when where if as than'.split(' '));
const PASSED = new Set('longer ever yet even one of the a an any his her its their been have has had be'.split(' '));
const INVOLVED =
  /\b(?:not (?:only|until|just|merely|simply|solely|necessarily|all|every|everyone|always|entirely|least|so|too|quite|yet|the first|the last)|no (?:fewer|less|more|later|earlier|sooner|doubt|other|one but|matter|stranger)|never before|until|unless|except|whether|if|otherwise|would|could|might|den(?:y|ied|ies|ying)|dispute[ds]?|alleg\w*|rumou?r\w*|myths?|contrary|nothing but|but for|nor|hardly|rather than|instead of|supposed\w*|almost|nearly)\b/i;

const FAVOUR = '±favour';
/** First | second, written out: what stands beside "opened" need not be said of "open". */
const PAIRS = new Map(
  [
    'open | closed shut',
    'won win wins winning | lost lose loses losing',
    'accepted accept accepts | rejected reject rejects declined',
    'approved approve approves | rejected disapproved vetoed',
    'supported supports | opposed opposes',
    'increased increase increases increasing rose rise rises | decreased decrease decreases fell falls declined',
    'north | south',
    'east | west',
    'northern | southern',
    'eastern | western',
    'northeast | southwest',
    'northwest | southeast',
    'older oldest elder eldest | younger youngest',
    'allowed permitted allows permits | banned prohibited forbidden bans prohibits forbids',
    'included includes including | excluded excludes excluding',
    'largest biggest | smallest',
    'larger bigger | smaller',
    'highest | lowest',
    'higher | lower',
    'longest | shortest',
    'faster fastest | slower slowest',
    'heavier | lighter',
    'cheaper | dearer costlier',
    'better best | worse worst',
    'stronger | weaker',
    'married | unmarried',
    'alive | dead',
    'legal | illegal',
    'lawful | unlawful',
    'guilty | innocent',
    'convicted | acquitted',
    'successful successfully | unsuccessful unsuccessfully',
    'possible | impossible',
    'visible | invisible',
    'edible | inedible',
    'poisonous venomous | nonpoisonous harmless nonvenomous',
    'left-hand | right-hand',
    'indoor indoors | outdoor outdoors',
    'male | female',
    'positive | negative',
    'majority | minority',
    'minimum | maximum',

    'more | fewer less',
    'most | fewest least',
    'above | below',
    'inside | outside',
    'upper | lower',
    'first | last',
    'public | private',
    'began begins started | ended ends',
    'remembered | forgot forgotten',
    'praised praises | criticised criticized criticises criticizes',
    'permanent permanently | temporary temporarily',
    'optional | mandatory compulsory obligatory',
    'voluntary voluntarily | involuntary involuntarily',
    'paid | unpaid',
    'known | unknown',
    'finished completed | unfinished incomplete uncompleted',
    'published | unpublished',
    'extinct | extant',
  ].flatMap((line) => {
    const [first = '', second = ''] = line.split(' | ');
    const about = `±${first}`;
    return [
      ...first.split(' ').map((word): [string, Side] => [word, { about, second: false }]),
      ...second.split(' ').map((word): [string, Side] => [word, { about, second: true }]),
    ];
  }),
);

interface Side {
  about: string;
  second: boolean;
}

const IRREGULAR = new Map(
  `left leav|gave give|given give|wrote write|written write|took take|taken take|went go|gone go|held hold|sold sell|paid pai|kept keep
  told tell|sent send|spent spend|stood stand|grew grow|grown grow|knew know|known know|drew draw|drawn draw|flew fly|flown fly
  broke break|broken break|spoke speak|spoken speak|chose choos|chosen choos|drove drive|driven drive|rode ride|ridden ride|sang sing
  sung sing|wore wear|worn wear|saw see|seen see|fought fight|taught teach|caught catch|brought bring|sought seek|led lead|met meet
  ran run|became becom|returned return|said sai|ate eat|eaten eat|hid hide|hidden hide|stole steal|stolen steal|sank sink|sunk sink
  withdrew withdraw|withdrawn withdraw|forgave forgiv|understood understand|fell fall|fallen fall|rose rise|risen rise`
    .split(/[|\n]/)
    .map((pair): [string, string] => {
      const [past = '', present = ''] = pair.trim().split(' ');
      return [past, present];
    }),
);
