/** Claims with candidate pages and a pages file → each claim with its pages. Judges nothing. */
import { z } from 'zod';
import { RequestError } from '../../../shared/errors.ts';
import { type RecordFile, readRecords } from '../jsonl.ts';
import type { EvidencePage } from './evidence-page.ts';

/** Claims that name no candidates have all pages for theirs: more would take long and fit no memory. */
const MAX_PAGES = 20_000;

/** A line of a claims file. Gold labels may stand beside it; they are not read. */
export const CandidateClaim = z.object({
  id: z.union([z.string(), z.number()]),
  claim: z.string().min(1),
  /** As the published baselines write them: page ids, or [page id, score]. Absent: every page of the pages file. */
  predicted_pages: z
    .array(
      z.union([
        z.string(),
        z
          .tuple([z.string()])
          .rest(z.unknown())
          .transform(([page]) => page),
      ]),
    )
    .optional(),
});
export type CandidateClaim = z.infer<typeof CandidateClaim>;

export interface Candidates<E> {
  claim: CandidateClaim;
  /** Pages that the pages file lacks are left out. */
  pages: EvidencePage<E>[];
}

/** The pages file is read as a stream; only pages that a claim names are kept. Throws RequestError for malformed lines. */
export async function* readCandidates<E>(
  claims: RecordFile<CandidateClaim>,
  pages: readonly RecordFile<EvidencePage<E>>[],
): AsyncGenerator<Candidates<E>> {
  const wanted = await listWanted(claims);
  const known = await readPages(pages, wanted);
  for await (const claim of readRecords(claims)) {
    const keys = claim.predicted_pages?.map(keyOf) ?? [...known.keys()];
    yield { claim, pages: [...new Set(keys)].flatMap((key) => known.get(key) ?? []) };
  }
}

/** Null: all. */
async function listWanted(claims: RecordFile<CandidateClaim>): Promise<Set<string> | null> {
  const wanted = new Set<string>();
  for await (const { predicted_pages } of readRecords(claims)) {
    if (predicted_pages === undefined) return null;
    for (const page of predicted_pages) wanted.add(keyOf(page));
  }
  return wanted;
}

async function readPages<E>(files: readonly RecordFile<EvidencePage<E>>[], wanted: Set<string> | null) {
  const known = new Map<string, EvidencePage<E>>();
  for (const file of files) {
    for await (const page of readRecords(file)) {
      if (wanted === null || wanted.has(keyOf(page.url))) known.set(keyOf(page.url), page);
      if (wanted === null && known.size > MAX_PAGES) throw tooManyPages();
    }
  }
  return known;
}

function tooManyPages(): RequestError {
  const message = `more than ${MAX_PAGES} pages: name each claim's candidates in "predicted_pages"`;
  return new RequestError('too_many_pages', message);
}

/** FEVER and FEVEROUS write accents decomposed in some places and composed in others. */
function keyOf(page: string): string {
  return page.normalize('NFC');
}
