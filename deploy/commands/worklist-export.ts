/** `sidelight worklist export`: the articles of the last run with their findings, to stdout or a file. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exportRun } from '../../bot/worklists/export.ts';
import type { Format } from '../../bot/worklists/formats.ts';
import { openWorklists } from '../../bot/worklists/store.ts';
import type { Verdict } from '../../shared/citation.ts';
import type { Config } from '../../shared/config.ts';
import { RequestError } from '../../shared/errors.ts';
import { openReviewDatabase } from '../../workers/review/database.ts';

export interface ExportOptions {
  name: string;
  format: Format;
  /** [] for all. */
  verdicts: Verdict[];
  out?: string;
}

/** Throws RequestError for a list that was never run, and a file that can't be written. */
export async function exportWorklist(config: Config, { name, format, verdicts, out }: ExportOptions): Promise<void> {
  const store = await openWorklists(config.databases.worklists);
  const review = await openReviewDatabase(config.databases.review);
  try {
    const worklist = await store.lists.find(config.wiki.id, name);
    const run = (await store.runs.all(worklist.id))[0];
    if (run === undefined) throw new RequestError('no_run', `${worklist.name} was not run yet`);
    const reviewOrigin = config.review.url;
    const pieces = Readable.from(exportRun({ store, review, worklist, run, format, verdicts, reviewOrigin }));
    if (out === undefined) await pipeline(pieces, process.stdout, { end: false });
    else await write(pieces, out);
  } finally {
    await store.close();
    await review.destroy();
  }
}

async function write(pieces: Readable, out: string): Promise<void> {
  const file = createWriteStream(out);
  const failed = new Promise<never>((_, reject) =>
    file.once('error', () => reject(new RequestError('not_writable', `${out} can't be written`))),
  );
  await Promise.race([pipeline(pieces, file), failed]);
}
