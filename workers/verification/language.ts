/** Text → the language that it is written in, and whether the engine was measured in it. Translates nothing. */
import { eld } from 'eld/small';

/** Where there is nothing to tell a language by. */
const UNDETERMINED = 'und';
/** In them the engine was measured (models/MODEL_CARD.md). */
const MEASURED: ReadonlySet<string> = new Set(['en']);

export interface Detected {
  /** ISO 639-1, or 'und' (ISO 639-2) where there are no words. */
  language: string;
  /** False for short texts and lists of names: then nothing should be refused because of `language`. */
  confident: boolean;
}

export function isMeasured(language: string): boolean {
  return MEASURED.has(language);
}

/** Any text, of any length; a long one is judged by pieces from all of it, and surely only where most of them agree. */
export function detectLanguage(text: string): Detected {
  const found = cutPieces(text).map(detectPiece);
  const language = mostFrequent(found.map((piece) => piece.language));
  const sure = found.filter((piece) => piece.confident && piece.language === language).length;
  return { language, confident: sure >= Math.max(1, found.length * AGREEING) };
}

/** The library reads about 350 bytes. */
const PIECE = 350;
const MAX_PIECES = 9;
const AGREEING = 0.6;

function cutPieces(text: string): string[] {
  if (text.length <= PIECE) return [text];
  const count = Math.min(MAX_PIECES, Math.floor(text.length / PIECE));
  return Array.from({ length: count }, (_, at) => {
    const start = Math.floor((at * (text.length - PIECE)) / Math.max(1, count - 1));
    return text.slice(start, start + PIECE);
  });
}

/**
 * Names keep the spelling of their own language: an English sentence about Ljubljana is full of Slovene. So words with a
 * capital don't count for whether it is English, in German sentences neither; the rest is enough there.
 */
function detectPiece(piece: string): Detected {
  const plain = piece.normalize('NFKC').replace(NO_WORDS, ' ').replace(/\s+/g, ' ').trim();
  const named = plain.replace(CAPITALISED, ' ');
  const rest = eld.detect(named);
  const whole = eld.detect(plain).language;
  const language = (rest.language === 'en' || whole === 'en' ? rest.language : whole) || whole || UNDETERMINED;
  return { language, confident: isClear(rest) && isEnough(named) && isOneScript(plain) };
}

/** Ahead of English, or English ahead of the others. */
function isClear(detected: ReturnType<typeof eld.detect>): boolean {
  const { language, getScores } = detected;
  const { en = 0, ...others } = getScores();
  const lead =
    language === 'en' ? en - Math.max(0, ...Object.values(others)) : Math.max(0, ...Object.values(others)) - en;
  return detected.isReliable() && lead >= LEAST_LEAD;
}

/** Of scores between 0 and 1. */
const LEAST_LEAD = 0.05;

/** Scripts without spaces between words have few, long words. */
function isEnough(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const words = text.match(/[\p{L}\p{M}]+/gu)?.length ?? 0;
  return DENSE_SCRIPT.test(text) ? letters >= 8 : letters >= 16 && words >= 4;
}

/** One script has three letters in four. */
function isOneScript(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return Math.abs(latin / letters - 0.5) >= 0.25;
}

/** The first of those that are equally frequent. */
function mostFrequent(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [[best] = [UNDETERMINED]] = [...counts].sort((a, b) => b[1] - a[1]);
  return best;
}

/** Addresses, numbers, control characters, brackets of wiki and code. */
const NO_WORDS =
  /\b(?:https?:\/\/|www\.)\S+|\S+@\S+|[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{N}\p{S}]|[^\p{L}\p{M}\p{Zs}\s'’.,;:!?-]/gu;
const CAPITALISED = /(?<![\p{L}\p{M}])\p{Lu}[\p{L}\p{M}'’-]*/gu;
const DENSE_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** Short texts and lists of names are no reason to refuse. */
export function isForeign(text: string): boolean {
  const { language, confident } = detectLanguage(text);
  return confident && !isMeasured(language);
}
