/**
 * The text of a block → where its sentences begin. Wikimedia's sentencex does the work; what it gets wrong in articles is put
 * right by the rules below. Markers help: one right behind a full stop ends a sentence.
 */
import { segment } from 'sentencex';

/** Offsets at which sentences begin, the first 0, ascending. `markers`: offsets of reference markers in the text. */
export function sentenceStarts(text: string, language: string, markers: readonly number[] = []): number[] {
  const found = segmentStarts(text, language).filter((start) => !FALSE.some((rule) => appliesAt(rule, text, start)));
  const marked = markers.map((offset) => startBehind(text, offset)).filter((start) => start !== null);
  return [...new Set([0, ...found, ...missed(text), ...marked])].sort((a, b) => a - b);
}

/** Each part is read from the last sentence of the one before, which may have been cut off. */
function segmentStarts(text: string, language: string): number[] {
  const starts: number[] = [];
  let from = 0;
  while (from < text.length) {
    const part = partStarts(text.slice(from, from + LONGEST_PART), language).map((start) => start + from);
    const isLast = from + LONGEST_PART >= text.length;
    starts.push(...part);
    from = isLast ? text.length : (part.at(-1) ?? from + LONGEST_PART);
  }
  return starts;
}

/** Where sentences begin after the first. sentencex keeps every character, so that lengths give the offsets. */
function partStarts(part: string, language: string): number[] {
  let start = 0;
  return segment(language, plainApostrophes(part))
    .slice(0, -1)
    .map((sentence) => {
      start += sentence.length;
      return start;
    });
}

/** "'n boot", "the '70s": an apostrophe in front of a word is no quotation mark. */
function plainApostrophes(text: string): string {
  return text.replace(/(?<![^\s(])'(?=n\s|\d)/g, '\u02bc');
}

/** Characters. sentencex needs time with the square of the length of some texts; no paragraph that is read is as long. */
const LONGEST_PART = 8000;

/** "… of the U.S.[1] He died": where the next sentence begins if the marker stands between two, else null. */
function startBehind(text: string, offset: number): number | null {
  const before = text.slice(Math.max(0, offset - 4), offset);
  const start = text.startsWith(' ', offset) ? offset + 1 : offset;
  const isOpening = /^["'“‘([]*[\p{Lu}\p{Lt}\p{Lo}\d]/u.test(text.slice(start, start + 4));
  return isOpening && /[.!?…]["'”’)\]]*$/.test(before) ? start : null;
}

interface Boundary {
  before: RegExp;
  after: RegExp;
}

function appliesAt(rule: Boundary, text: string, start: number): boolean {
  return rule.before.test(text.slice(Math.max(0, start - 12), start)) && rule.after.test(text.slice(start, start + 16));
}

/** No sentence begins between these. */
const FALSE: readonly Boundary[] = [
  // a closing quote, bracket or a second full stop
  { before: /$/, after: /^[\s"'”’)\].]*$/ },
  // a small letter, but not that of a name like iTRAQ
  { before: /[.…]\s*$/, after: /^\p{Ll}(?!\p{Lu})/u },
  // "am 12. Juli", "frå 1. november": days are ordinals in many languages
  {
    before: /(^|\D)\d{1,2}\.\s*$/,
    after: /^(Jan|Feb|M[äa]r|Apr|Mai\b|Maj\b|Jun|Jul|Aug|Sep|Okt|Nov|De[zs]|Jahrhundert)/,
  },
  // "ca. 1240", "bzw. Granate", "no. 5"
  { before: /(^|[\s(])(ca|cf|approx|bzw|vgl|z\. ?B|d\. ?h|u\. ?a|sog)\.\s*$/, after: /^/ },
  { before: /(^|[\s(])(c|fl|no|nos|nr|vol|pp?|ch|art|fig)\.\s*$/i, after: /^\d/ },
];

/** Words that are abbreviations elsewhere in a sentence, and words that begin the next one if they follow such a word. */
const ABBREVIATIONS =
  `etc|Inc|Ltd|Corp|Co|Bros|Jr|Sr|St|Ave|Rd|Blvd|Jan|Feb|Mar|Sept|Oct|Dec|Cal|Ark|Tex|Va|Pa|Ore|Del|Me|
  no|sec|min|ft|id|art|op|(?:\\p{L}\\.){1,4}\\p{L}|\\p{Lu}|[IVX]{2,5}`.replace(/\s+/g, '');
const OPENERS =
  `The|This|These|There|That|Those|It|Its|He|His|She|Her|They|Their|We|In|On|At|By|From|For|After|Before|During|As|
  However|When|While|Although|Since|Both|Some|Most|Nobody`.replace(/\s+/g, '');

/** What sentencex takes for an abbreviation in mid-sentence; the sentence begins behind the match. */
const MISSED: readonly RegExp[] = [
  // "about 600 m. The", "in May. Aske"
  /(?:\d\s?(?:m|km|cm|mm|ft|in|mi|kg|g|t|s|h|l|ha)|\bMay)\.\s+(?=\p{Lu}\p{Ll})/gu,
  // "rivers, lakes, etc. These", "left the U.S. He", "a hotel by Suites s.r.o. The", "listed Grade I. There"
  new RegExp(`(?<!\\p{L})(?:${ABBREVIATIONS})\\.\\s+(?=(?:${OPENERS})\\s)`, 'gu'),
  // "(It had served three-year terms.) However"
  /(?:^|[.!?]\s)\([\p{Lu}\d][^()]*[.!?]\)\s+(?=[\p{Lu}\d"“])/gu,
];

function missed(text: string): number[] {
  return MISSED.flatMap((rule) => [...text.matchAll(rule)].map((match) => match.index + match[0].length));
}
