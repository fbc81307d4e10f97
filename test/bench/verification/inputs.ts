/** Own claims, texts and pages for the benchmark: the same in every run, of the length that is asked for. */
import type { Pair, TokenizePair } from '../../../workers/verification/pair-tokens.ts';

/** Pairs that take exactly so many tokens; all of them differ. `tokens`: at least 64. */
export function pairsOf(tokens: number, count: number, tokenize: TokenizePair): Pair[] {
  return Array.from({ length: count }, (_, at) => {
    const claim = sentence(at);
    const room = tokens - tokenize({ claim, text: '' }).ids.length;
    return { claim, text: Array.from({ length: room }, (_, word) => WORDS[(at + word * 7) % WORDS.length]).join(' ') };
  });
}

/** What one claim asks of the model: twelve passages and a digest, of different lengths. */
export function claimOfPairs(number: number): Pair[] {
  const claim = sentence(number);
  return Array.from({ length: 13 }, (_, at) => ({
    claim,
    text: sentences(number + at, 4 + ((number * 5 + at * 3) % 8)),
  }));
}

/** Of about `words` words in paragraphs. */
export function pageOf(number: number, words: number) {
  const paragraphs = Array.from({ length: Math.ceil(words / 80) }, (_, at) => sentences(number + at * 11, 6));
  return { url: `https://averil.example/${number}`, title: 'The harbour of Port Averil', text: paragraphs.join('\n') };
}

export function claimText(number: number) {
  return { text: sentence(number), title: 'Port Averil', section: ['History'], context: sentence(number + 1) };
}

function sentences(from: number, count: number): string {
  return Array.from({ length: count }, (_, at) => sentence(from + at)).join(' ');
}

function sentence(number: number): string {
  const pick = (list: readonly string[], step: number) => list[Math.floor(number / step) % list.length];
  const year = 1800 + ((number * 37) % 200);
  return `In ${year} the ${pick(WORDS, 1)} of ${pick(PLACES, 3)} was ${pick(DEEDS, 2)} by ${pick(PEOPLE, 5)} after ${(number * 13) % 90} days.`;
}

/** Each is one token. */
const WORDS = [
  ...['harbour', 'lighthouse', 'mill', 'bridge', 'market', 'school', 'station', 'garden', 'church', 'tower', 'road'],
  ...['river', 'village', 'library', 'theatre', 'prison', 'palace', 'forest', 'castle', 'railway', 'museum', 'hotel'],
];
const PLACES = ['Port Averil', 'Dunmore', 'Saint-Orens', 'Upper Kest', 'Karsten'];
const DEEDS = ['opened', 'rebuilt', 'sold', 'painted', 'closed', 'measured', 'restored'];
const PEOPLE = ['Odile Marchetti', 'the town council', 'a railway engineer', 'Tomas Ferro'];
