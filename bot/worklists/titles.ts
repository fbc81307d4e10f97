/** A file of titles, one a line → titles, each once, in their order. Wiki links, bullets and empty lines are what people paste. */
import { readFile, stat } from 'node:fs/promises';
import { RequestError } from '../../shared/errors.ts';
import { cleanTitle } from './worklist.ts';

/** Throws RequestError for a file that can't be read, is no UTF-8, is over 64 MiB, or has no titles. */
export async function readTitles(path: string): Promise<string[]> {
  const text = decode(await readLimited(path), path);
  const titles = new Set(text.split(/\r\n|\r|\n/).map(titleOf));
  titles.delete('');
  if (titles.size === 0) throw new RequestError('no_titles', `${path} has no titles in it`);
  return [...titles];
}

async function readLimited(path: string): Promise<Uint8Array> {
  try {
    if ((await stat(path)).size <= MOST_BYTES) return await readFile(path);
  } catch {
    throw new RequestError('no_file', `${path} can't be read`);
  }
  throw new RequestError('file_too_large', `${path} has more than 64 MiB`);
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes); // takes the byte order mark away
  } catch {
    throw new RequestError('not_utf8', `${path} is not a text in UTF-8: save it as that`);
  }
}

function titleOf(line: string): string {
  const link = /^\s*[*#]*\s*\[\[:?([^[\]|]+)(?:\|[^[\]]*)?\]\]\s*$/.exec(line);
  return cleanTitle(link?.[1] ?? line);
}

const MOST_BYTES = 64 * 2 ** 20;
