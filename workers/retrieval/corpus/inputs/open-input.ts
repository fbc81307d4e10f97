/** A name that a person gave → an input of the corpus, by what the file shows and not by its name alone. */
import { stat } from 'node:fs/promises';
import { RequestError } from '../../../../shared/errors.ts';
import type { SourceStore } from '../../../source/store.ts';
import type { CorpusInput } from '../page-record.ts';
import { peek } from './bytes.ts';
import { openFetched } from './fetched.ts';
import { isPageFile, openFolder } from './folder.ts';
import { openJsonl } from './jsonl.ts';
import { openWarc } from './warc.ts';

/**
 * `fetched`: the pages in `sources`. Else a path: a folder or a file of saved pages, WARC or WET, JSONL. Throws RequestError:
 * `no_such_input`, `unknown_input`.
 */
export async function openInput(what: string, sources: Pick<SourceStore, 'pages' | 'count'>): Promise<CorpusInput> {
  if (what === 'fetched') return openFetched(sources);
  const found = await stat(what).catch(() => null);
  if (found === null) throw new RequestError('no_such_input', `There is no file ${what}.`);
  if (found.isDirectory()) return openFolder(what);
  return (await openFile(what)) ?? refuse(what);
}

/** What a file shows counts first; its name, where its beginning is damaged. */
async function openFile(path: string): Promise<CorpusInput | null> {
  const start = (await peek(path)).toString('utf8').trimStart();
  if (start.startsWith('WARC/')) return openWarc(path);
  if (start.startsWith('{')) return openJsonl(path);
  if (isPageFile(path)) return openFolder(path);
  if (/\.(jsonl|ndjson)(\.gz)?$/i.test(path)) return openJsonl(path);
  return /\.(warc|wet)(\.gz)?$/i.test(path) ? openWarc(path) : null;
}

function refuse(path: string): never {
  throw new RequestError('unknown_input', `${path} is neither JSONL, WARC, WET, HTML, PDF nor plain text.`);
}
