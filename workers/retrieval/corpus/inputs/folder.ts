/**
 * A folder of saved pages (HTML, PDF, plain text; `.gz` of them too), or one such file. In: a path. Out: entries whose position
 * is the file's place in the order of names, folders read where their names stand. Other files are none; links are not followed.
 *
 * Only a page with an http(s) address can be cited. It is taken from, in this order: a line `name<TAB>address[<TAB>time of the
 * crawl]` of a file `urls.tsv` in the same folder; a file `name.url` beside it (an address, or a Windows shortcut); the page
 * itself (`link rel=canonical`, `og:url`, a browser's "saved from"). A file's own time is not taken for that of the crawl.
 */
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { decodePage } from '../../../source/extract/charset.ts';
import type { CorpusInput } from '../page-record.ts';
import { errorCode } from './error-code.ts';
import { readHead } from './head.ts';
import { splitLines } from './lines.ts';
import { broken, fromBytes, MAX_PAGE_BYTES, type Made, toEntry, toTime } from './make-page.ts';

export function openFolder(path: string): CorpusInput {
  let [read, found] = [0, 0];
  return {
    kind: 'folder',
    name: path,
    async *entries(after, signal) {
      [read, found] = [0, await countFiles(path, signal)];
      for await (const file of listFiles(path)) {
        signal.throwIfAborted();
        read += 1;
        if (read > after) yield toEntry(await readPage(file), read, relative(dirname(path), file.path));
      }
    },
    progress: () => (found === 0 ? 0 : Math.min(1, read / found)),
  };
}

/** Whether a file of this name is a page. */
export function isPageFile(name: string): boolean {
  return PAGE.test(name);
}

interface PageFile {
  path: string;
  /** What `urls.tsv` says of it. */
  address: Address | null;
}

interface Address {
  url: string;
  crawledAt: string | null;
}

async function countFiles(path: string, signal: AbortSignal): Promise<number> {
  let count = 0;
  for await (const _ of listFiles(path)) {
    signal.throwIfAborted();
    count += 1;
  }
  return count;
}

/** In the order of code units, which is the same on every machine. Holds the names of one folder on each level. */
async function* listFiles(path: string): AsyncGenerator<PageFile> {
  if ((await stat(path)).isFile()) {
    const addresses = await readAddresses(dirname(path));
    yield { path, address: addresses.get(basename(path)) ?? null };
    return;
  }
  const addresses = await readAddresses(path);
  const entries = (await readdir(path, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) yield* listFiles(inside);
    else if (entry.isFile() && isPageFile(entry.name))
      yield { path: inside, address: addresses.get(entry.name) ?? null };
  }
}

async function readAddresses(folder: string): Promise<Map<string, Address>> {
  const addresses = new Map<string, Address>();
  try {
    for await (const { bytes } of splitLines(createReadStream(join(folder, ADDRESSES)), MAX_PAGE_BYTES)) {
      const [name = '', url = '', time] = (bytes?.toString() ?? '').replace(/\r$/, '').split('\t');
      if (url.trim() !== '') addresses.set(name, { url: url.trim(), crawledAt: toTime(time) });
    }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  return addresses;
}

async function readPage({ path, address }: PageFile): Promise<Made> {
  const body = await readBody(path);
  if (!Buffer.isBuffer(body)) return body;
  const name = path.replace(/\.gz$/i, '');
  const contentType = /\.x?html?$/i.test(name) ? 'text/html' : /\.pdf$/i.test(name) ? 'application/pdf' : 'text/plain';
  const beside = address ?? (await readShortcut(path));
  const own = contentType === 'text/html' && beside === null ? readHead(decodePage(body, contentType)).url : null;
  const url = beside?.url ?? own ?? '';
  return fromBytes({ url, body, contentType, crawledAt: beside?.crawledAt ?? null, language: '' });
}

async function readBody(path: string): Promise<Buffer | Made> {
  if ((await stat(path)).size > MAX_PAGE_BYTES) return broken('too_large', `more than ${MAX_PAGE_BYTES} bytes`);
  const body = await readFile(path);
  if (!/\.gz$/i.test(path)) return body;
  try {
    return await decompress(body, { maxOutputLength: MAX_PAGE_BYTES });
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ERR_BUFFER_TOO_LARGE') return broken('too_large', `more than ${MAX_PAGE_BYTES} bytes`);
    return broken(code === 'Z_BUF_ERROR' ? 'truncated' : 'damaged', '');
  }
}

async function readShortcut(path: string): Promise<Address | null> {
  try {
    const text = (await readFile(`${path}.url`, 'utf8')).slice(0, MAX_SHORTCUT);
    const url = /^URL=(\S+)/im.exec(text)?.[1] ?? text.trim();
    return url === '' ? null : { url, crawledAt: null };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

const decompress = promisify(gunzip);
const PAGE = /\.(x?html?|pdf|txt)(\.gz)?$/i;
const ADDRESSES = 'urls.tsv';
const MAX_SHORTCUT = 10_000;
