/** Sphere-style files → their pages, one file after the other. What is broken is told and passed over. */
import { openJsonl } from '../../retrieval/corpus/inputs/jsonl.ts';
import type { PageRecord } from '../../retrieval/corpus/page-record.ts';
import { requireFile } from '../jsonl.ts';

/** `onBroken`: file, line, and what is wrong with it. Throws RequestError for a file that is not there. */
export async function* readPages(
  files: readonly string[],
  onBroken: (detail: string) => void,
): AsyncGenerator<PageRecord> {
  for (const path of files) {
    await requireFile(path);
    for await (const entry of openJsonl(path).entries(0, new AbortController().signal)) {
      if (entry.kind === 'page') yield entry.page;
      else onBroken(`${path}, ${entry.detail} (${entry.code})`);
    }
  }
}
