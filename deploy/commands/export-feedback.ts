/** `sidelight export feedback`: what people said at the review page → a file that evaluation and training read. */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { Config } from '../../shared/config.ts';
import { RequestError } from '../../shared/errors.ts';
import { openReviewDatabase } from '../../workers/review/database.ts';
import { type ExportSources, exportFeedback } from '../../workers/review/export.ts';
import type { Export } from '../../workers/review/export-formats.ts';
import { sessionSecret } from '../../workers/review/session/secret.ts';
import { openSourceStore } from '../../workers/source/store.ts';

export interface ExportFeedbackOptions {
  format: Export;
  since?: string;
  out?: string;
}

/** Throws RequestError for a date that is none and a file that can't be written. */
export async function exportFeedbackTo(config: Config, { format, since, out }: ExportFeedbackOptions): Promise<void> {
  const from = since === undefined ? '' : parseDate(since);
  const db = await openReviewDatabase(config.databases.review);
  const store = await openSourceStore(config.databases.sources, config.sources);
  const tally = new Map<string, number>();
  const count = (what: string) => tally.set(what, (tally.get(what) ?? 0) + 1);
  try {
    const secret = sessionSecret(config.signIn);
    const sources: ExportSources = { db, texts: store.texts, secret, since: from, onLeftOut: count };
    const records = exportFeedback(format, sources);
    const written = await write(records, out);
    process.stderr.write(summary(format, written, tally));
  } finally {
    await store.close();
    await db.destroy();
  }
}

/** A day, or a time with its zone. */
function parseDate(text: string): string {
  const parsed = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).safeParse(text);
  if (parsed.success) return new Date(parsed.data).toISOString();
  throw new RequestError('no_date', `--since: ${text} is no date; give one like 2026-03-31`);
}

/** How many. A file has its name only once it is whole. */
async function write(records: AsyncIterable<object>, out: string | undefined): Promise<number> {
  let written = 0;
  const lines = Readable.from(
    (async function* () {
      for await (const record of records) {
        written += 1;
        yield `${JSON.stringify(record)}\n`;
      }
    })(),
  );
  if (out === undefined) await pipeline(lines, process.stdout, { end: false });
  else await writeFile(lines, out);
  return written;
}

async function writeFile(lines: Readable, out: string): Promise<void> {
  const part = `${out}.part`;
  try {
    await pipeline(lines, createWriteStream(part));
    await rename(part, out);
  } catch (error) {
    await rm(part, { force: true });
    // the file system's; what reading the records threw goes on as it is
    if (typeof error !== 'object' || error === null || !('syscall' in error)) throw error;
    throw new RequestError('not_writable', `${out} can't be written`);
  }
}

function summary(format: Export, written: number, tally: ReadonlyMap<string, number>): string {
  const leftOut = [...tally].sort().map(([why, n]) => `  ${why} ${n}\n`);
  const head = `${written} ${format} written`;
  return leftOut.length === 0 ? `${head}\n` : `${head}; left out:\n${leftOut.join('')}`;
}
