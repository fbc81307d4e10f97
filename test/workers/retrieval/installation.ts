/** A whole retrieval installation in a folder of its own: source store, corpus, both arms, the real encoder. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReadableSource } from '../../../shared/citation.ts';
import { hashText } from '../../../shared/hash.ts';
import { createLogger } from '../../../shared/logger.ts';
import type { Context } from '../../../shared/pipeline.ts';
import { createCorpus } from '../../../workers/retrieval/corpus/corpus.ts';
import { openCorpus } from '../../../workers/retrieval/corpus/store.ts';
import type { PassageEncoder } from '../../../workers/retrieval/dense/encode.ts';
import { openFaissIndex } from '../../../workers/retrieval/dense/faiss.ts';
import { openFts5Index } from '../../../workers/retrieval/sparse/fts5.ts';
import { openSourceStore } from '../../../workers/source/store.ts';

export type Installation = ReturnType<typeof openInstallation>;

/** `directory`: one that another installation left, or none for a new one. */
export function openInstallation(encoder: PassageEncoder, directory = mkdtempSync(join(tmpdir(), 'sidelight-'))) {
  const log = createLogger('silent', 'test');
  const store = openSourceStore(join(directory, 'sources.sqlite'));
  const corpus = openCorpus(join(directory, 'corpus.sqlite'));
  const sparse = openFts5Index(join(directory, 'sparse.sqlite'));
  const dense = openFaissIndex({ directory, shard: 0, encoder, log });
  const handle = createCorpus({ store, corpus, sparse, dense, encoder });
  const close = () => {
    for (const part of [store, corpus, sparse, dense]) part.close();
  };
  return {
    ...{ directory, store, corpus, sparse, dense, encoder, close },
    /** Stores a page as the sources stage does, and runs the corpus stage on it. */
    async add(source: ReadableSource): Promise<string> {
      const sourceKey = await store.put(source);
      await handle({ sourceKey, contentHash: source.contentHash }, aContext());
      return sourceKey;
    },
    handle,
    remove() {
      close();
      rmSync(directory, { recursive: true });
    },
  };
}

export function aContext(retrieval: Context['gathered']['retrieval'] = [], shardsAsked = retrieval.length): Context {
  const coverage = { shardsAsked, shardsAnswered: retrieval.length };
  return { gathered: { sources: [], retrieval, coverage }, signal: new AbortController().signal };
}

export function aPage(url: string, title: string, text: string): ReadableSource {
  return {
    kind: 'readable',
    ...{ url, finalUrl: url, title, text, contentHash: hashText(text) },
    type: 'html',
    language: 'en',
    fetchedAt: '2026-01-02T03:04:05.000Z',
    archivedAt: null,
  };
}
