/** What a child of `apart.ts` runs: a page → its claims, with what is known of the wiki's templates. Asks nobody. */
import { BUNDLED } from '../vocabulary/bundled.ts';
import { type Known, toVocabulary } from '../vocabulary/known.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { extractKnown } from './extract.ts';

export interface ExtractTask {
  html: string;
  title: string;
}

export type ExtractAnswer = ReturnType<typeof extractKnown>;

/** `known`: a `Known` as JSON in UTF-8, where it is another than that of the task before. */
export default function extract({ html, title }: ExtractTask, known: Uint8Array | undefined): ExtractAnswer {
  if (known !== undefined) vocabulary = toVocabulary(parse(known));
  return extractKnown(html, title, vocabulary);
}

/** Written by `apart.ts` of this program: it needs no schema. */
function parse(known: Uint8Array): Known {
  return JSON.parse(Buffer.from(known).toString());
}

/** Of this process: it is the same for most pages. */
let vocabulary: Vocabulary = BUNDLED;
