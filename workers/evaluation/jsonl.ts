/** A file of one JSON object a line → its records, read as a stream and checked by a schema. Knows no format. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { z } from 'zod';
import { RequestError } from '../../shared/errors.ts';

export interface RecordFile<T> {
  path: string;
  schema: z.ZodType<T>;
  /** Lines that are no record, such as a header. */
  isHeader?: (value: unknown) => boolean;
}

/** Empty lines are passed over. Throws RequestError naming file, line and field of the first line that the schema refuses. */
export async function* readRecords<T>({ path, schema, isHeader = () => false }: RecordFile<T>): AsyncGenerator<T> {
  await requireFile(path);
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (line.trim() === '') continue;
    const value = parseJson(line, `${path}, line ${number}`);
    if (!isHeader(value)) yield parseRecord(value, schema, `${path}, line ${number}`);
  }
}

/** Throws RequestError naming the place and the field. */
export function parseRecord<T>(value: unknown, schema: z.ZodType<T>, place: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new RequestError('malformed_record', `${place}: ${issue?.path.join('.') || 'the record'}: ${issue?.message}`);
}

/** Throws RequestError naming the place. */
export function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestError('malformed_record', `${place}: is not JSON`);
  }
}

export async function requireFile(path: string): Promise<void> {
  const file = await stat(path).catch(() => null);
  if (file === null || file.isDirectory()) throw new RequestError('no_such_file', `there is no file ${path}`);
}
