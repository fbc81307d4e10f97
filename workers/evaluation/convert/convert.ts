/** Files of a published format, and of its pages where it needs them → labelled pairs, one at a time. Writes nothing. */
import { readFile } from 'node:fs/promises';
import { RequestError } from '../../../shared/errors.ts';
import { parseJson, parseRecord, type RecordFile, readRecords, requireFile } from '../jsonl.ts';
import type { LabelledPair } from '../pairs.ts';
import { fever } from './fever.ts';
import { feverous } from './feverous.ts';
import { fm2 } from './fm2.ts';
import type { Format, SourcePage } from './format.ts';
import type { FormatName } from './names.ts';
import { sourceVerifier } from './source-verifier.ts';
import { vitaminc } from './vitaminc.ts';
import { wafer } from './wafer.ts';
import { wice } from './wice.ts';

export interface ConvertInput {
  from: FormatName;
  files: readonly string[];
  /** Files of pages, where the format has them apart. */
  pages?: readonly string[];
  /** Called for each record that can't be a pair: no text of its source, or no label that says anything of it. */
  onLeftOut?: () => void;
}

/** Throws RequestError for a missing file and for the first malformed record, with file, line (or row) and field. */
export function convert({ from, ...input }: ConvertInput): AsyncGenerator<LabelledPair> {
  switch (from) {
    case 'wice':
      return convertAs(wice, input);
    case 'wafer':
      return convertAs(wafer, input);
    case 'source-verifier':
      return convertAs(sourceVerifier, input);
    case 'fever':
      return convertAs(fever, input);
    case 'feverous':
      return convertAs(feverous, input);
    case 'fm2':
      return convertAs(fm2, input);
    case 'vitaminc':
      return convertAs(vitaminc, input);
  }
}

async function* convertAs<T>(format: Format<T>, input: Omit<ConvertInput, 'from'>): AsyncGenerator<LabelledPair> {
  const pages = await readPages(format, input);
  for (const path of input.files) {
    for await (const record of readAll(format, path)) {
      const pair = format.convert(record, pages);
      if (pair === null) input.onLeftOut?.();
      else yield pair;
    }
  }
}

function readAll<T>(format: Format<T>, path: string): AsyncGenerator<T> {
  const { schema, isHeader, layout } = format;
  const file = isHeader === undefined ? { path, schema } : { path, schema, isHeader };
  return layout === 'lines' ? readRecords(file) : readDocument(file);
}

async function* readDocument<T>({ path, schema }: RecordFile<T>): AsyncGenerator<T> {
  await requireFile(path);
  const document = parseJson(await readFile(path, 'utf8'), path);
  const rows = Array.isArray(document) ? document : rowsOf(document);
  if (rows === null) throw new RequestError('malformed_record', `${path}: rows: is neither an array nor has one`);
  for (const [at, row] of rows.entries()) yield parseRecord(row, schema, `${path}, row ${at + 1}`);
}

function rowsOf(document: unknown): unknown[] | null {
  if (typeof document !== 'object' || document === null || !('rows' in document)) return null;
  return Array.isArray(document.rows) ? document.rows : null;
}

/** Only pages that a record names are kept: the records are read twice, the pages once, both as streams. */
async function readPages<T>(format: Format<T>, input: Omit<ConvertInput, 'from'>): Promise<Map<string, SourcePage>> {
  const known = new Map<string, SourcePage>();
  const { pages: layout } = format;
  const { pages = [] } = input;
  if (layout?.required && pages.length === 0) throw noPages();
  if (layout === undefined || pages.length === 0) return known;
  const wanted = await listWanted(format, layout.keysOf, input.files);
  for (const path of pages) {
    for await (const page of readRecords({ path, schema: layout.schema })) {
      const key = layout.keyOf(page);
      if (wanted.has(key)) known.set(key, page);
    }
  }
  return known;
}

async function listWanted<T>(format: Format<T>, keysOf: (record: T) => string[], files: readonly string[]) {
  const wanted = new Set<string>();
  for (const path of files) {
    for await (const record of readAll(format, path)) for (const key of keysOf(record)) wanted.add(key);
  }
  return wanted;
}

function noPages(): RequestError {
  return new RequestError('no_pages', 'the texts of this format stand in files of their own: give them as --pages');
}
