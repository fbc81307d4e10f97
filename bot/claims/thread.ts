/** What a thread of `threaded.ts` runs: a page → its claims, with what is known of the wiki's templates. Asks nobody. */
import { BUNDLED } from '../vocabulary/bundled.ts';
import { type Known, toVocabulary } from '../vocabulary/known.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { extractKnown } from './extract.ts';

export interface ExtractTask {
  html: string;
  title: string;
  /** A `Known` as JSON in UTF-8, shared: on a large wiki it is larger than most pages. */
  known: SharedArrayBuffer;
  /** The same number, the same `known`. */
  version: number;
}

export type ExtractAnswer = ReturnType<typeof extractKnown>;

export default function extract({ html, title, known, version }: ExtractTask): ExtractAnswer {
  if (made.version !== version) made = { version, vocabulary: toVocabulary(parse(known)) };
  return extractKnown(html, title, made.vocabulary);
}

/** Written by `threaded.ts` of this program: it needs no schema. */
function parse(known: SharedArrayBuffer): Known {
  return JSON.parse(Buffer.from(known).toString());
}

/** Of this thread: it is the same for most pages. */
let made: { version: number; vocabulary: Vocabulary } = { version: 0, vocabulary: BUNDLED };
