/**
 * Files of documents → a corpus that can be searched, built by the product's own stage in a folder that the next run finds again:
 * its name is the hash of the files and the models. Measures nothing.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ReadableSource } from '../../../shared/citation.ts';
import { hashText } from '../../../shared/hash.ts';
import { createLogger } from '../../../shared/logger.ts';
import { canonicalUrl } from '../../../shared/url.ts';
import { indexPassages } from '../../retrieval/corpus/index-passages.ts';
import { type CorpusStore, openCorpus } from '../../retrieval/corpus/store.ts';
import type { DenseIndex } from '../../retrieval/dense/dense-index.ts';
import type { PassageEncoder } from '../../retrieval/dense/encode.ts';
import { openFaissIndex } from '../../retrieval/dense/faiss.ts';
import { openFts5Index } from '../../retrieval/sparse/fts5.ts';
import type { SparseIndex } from '../../retrieval/sparse/sparse-index.ts';
import { openSourceStore } from '../../source/store.ts';
import { splitPassages } from '../../verification/passages.ts';
import { requireFile } from '../jsonl.ts';
import { type Document, readDocuments } from './documents.ts';
import { rememberVectors } from './vectors.ts';

export interface EvaluationCorpus {
  corpus: Pick<CorpusStore, 'passages' | 'size'>;
  sparse: Pick<SparseIndex, 'search'>;
  dense: Pick<DenseIndex, 'search'>;
  encoder: PassageEncoder;
  /** By canonical URL; throws RangeError for one that is not there. */
  page(canonical: string): Promise<{ url: string; title: string; text: string }>;
  close(): void;
}

export interface CorpusInputs {
  files: readonly string[];
  /** Where corpora are kept. */
  work: string;
  encoder: PassageEncoder;
  /** Pages indexed so far, of how many. */
  onProgress(done: number, total: number): void;
  /** A document that is left out: where it stands and what is wrong with it. */
  onBroken(detail: string): void;
}

/** Builds what is not built yet; killed, it goes on where it was. Throws RequestError for a file that is not there. */
export async function openEvaluationCorpus(inputs: CorpusInputs): Promise<EvaluationCorpus> {
  const directory = join(inputs.work, await keyOf(inputs));
  await mkdir(directory, { recursive: true });
  const parts = openParts(directory, inputs);
  const finished = join(directory, 'finished');
  if ((await stat(finished).catch(() => null)) === null) {
    await build(parts, inputs);
    await writeFile(finished, '');
  }
  const { store, corpus, sparse, dense, encoder, close } = parts;
  return {
    ...{ corpus, sparse, dense, encoder, close },
    async page(canonical) {
      const source = await store.get(hashText(canonical));
      if (source?.kind !== 'readable') throw new RangeError(`${canonical} is not in the corpus`);
      return source;
    },
  };
}

type Parts = ReturnType<typeof openParts>;

function openParts(directory: string, { work, encoder: bare }: CorpusInputs) {
  const log = createLogger('error', 'evaluation');
  const encoder = rememberVectors(bare, join(work, 'vectors.sqlite'));
  const store = openSourceStore(join(directory, 'sources.sqlite'));
  const corpus = openCorpus(join(directory, 'corpus.sqlite'));
  const sparse = openFts5Index(join(directory, 'sparse.sqlite'));
  const dense = openFaissIndex({ directory, shard: 0, encoder, log });
  const close = () => {
    for (const part of [store, corpus, sparse, dense, encoder]) part.close();
  };
  return { store, corpus, sparse, dense, encoder, close };
}

/** As the stage `corpus` does, page by page; what an earlier run has done is passed over. */
async function build(parts: Parts, inputs: CorpusInputs): Promise<void> {
  const pages = await readPages(inputs);
  for (const [at, page] of pages.entries()) {
    const { url, title, contentHash } = page;
    const sourceKey = await parts.store.put(page);
    const ids = parts.corpus.put({ sourceKey, url, title, contentHash }, splitPassages(page));
    await indexPassages(parts, ids, NEVER);
    inputs.onProgress(at + 1, pages.length);
  }
}

/** What several lines say of one page, as Sphere's passages do, is one text. */
async function readPages({ files, onBroken }: CorpusInputs): Promise<ReadableSource[]> {
  const pages = new Map<string, Document>();
  for (const path of files) {
    for await (const document of readDocuments(path, onBroken)) {
      const key = canonicalUrl(document.url) ?? '';
      const known = pages.get(key);
      pages.set(key, known === undefined ? document : { ...known, text: `${known.text}\n${document.text}` });
    }
  }
  return [...pages.values()].map(toSource);
}

function toSource({ url, title, text }: Document): ReadableSource {
  return {
    kind: 'readable',
    ...{ url, finalUrl: url, title: title ?? '', text, contentHash: hashText(text) },
    type: 'text',
    language: '',
    fetchedAt: NO_TIME,
    archivedAt: null,
  };
}

/** Of the files' content, in their order, and of what makes passages and vectors of it. */
async function keyOf({ files, encoder }: CorpusInputs): Promise<string> {
  const hash = createHash('sha256').update(`${LAYOUT} ${encoder.version}`);
  for (const path of files) {
    await requireFile(path);
    await pipeline(createReadStream(path), hash, { end: false });
  }
  return hash.digest('hex').slice(0, 16);
}

/** To be raised when passages are split or indexed in another way. */
const LAYOUT = 1;
/** The same files give the same corpus. */
const NO_TIME = '1970-01-01T00:00:00.000Z';
const NEVER = new AbortController().signal;
