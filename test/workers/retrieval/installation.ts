/** A whole retrieval installation in a folder of its own: source store, generations of the corpus, the given encoder. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReadableSource } from '../../../shared/citation.ts';
import { hashText } from '../../../shared/hash.ts';
import { createLogger } from '../../../shared/logger.ts';
import type { Context } from '../../../shared/pipeline.ts';
import { createCorpus } from '../../../workers/retrieval/corpus/corpus.ts';
import { createOpenGenerations } from '../../../workers/retrieval/corpus/open-generations.ts';
import { openEmbeddedEngine } from '../../../workers/retrieval/corpus/sparse-engine.ts';
import type { PassageEncoder } from '../../../workers/retrieval/dense/encode.ts';
import { openSourceStore } from '../../../workers/source/store.ts';

export type Installation = Awaited<ReturnType<typeof openInstallation>>;

/** `directory`: one that another installation left, or none for a new one. */
export async function openInstallation(encoder: PassageEncoder, directory = mkdtempSync(join(tmpdir(), 'sidelight-'))) {
  const log = createLogger('silent', 'test');
  const store = await openSourceStore(join(directory, 'sources.sqlite'));
  const engine = openEmbeddedEngine(directory);
  const generations = createOpenGenerations({ dataDir: directory, engine, log });
  const handle = createCorpus({ store, generations, encoder });
  const close = async () => {
    await generations.close();
    await store.close();
  };
  return {
    ...{ directory, store, engine, generations, encoder, log, handle, close },
    /** Stores a page as the sources stage does, and runs the corpus stage on it. */
    async add(source: ReadableSource): Promise<string> {
      const sourceKey = await store.put(source);
      await handle({ sourceKey, contentHash: source.contentHash }, aContext());
      return sourceKey;
    },
    async remove() {
      await close();
      rmSync(directory, { recursive: true });
    },
  };
}

export function aContext(retrieval: Context['gathered']['retrieval'] = [], shardsAsked = retrieval.length): Context {
  const coverage = { shardsAsked, shardsAnswered: retrieval.length, missing: [] };
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
