/** A small generation of the corpus in a folder of its own, with both arms and the real encoder: for what searches one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../../shared/logger.ts';
import { openRetrievers } from '../../../workers/find/retrievers.ts';
import { indexPassages } from '../../../workers/retrieval/corpus/index-passages.ts';
import { openGeneration } from '../../../workers/retrieval/corpus/open-generation.ts';
import type { PageRecord } from '../../../workers/retrieval/corpus/page-record.ts';
import { openEmbeddedEngine } from '../../../workers/retrieval/corpus/sparse-engine.ts';
import type { PassageEncoder } from '../../../workers/retrieval/dense/encode.ts';
import { noExpansion } from '../../../workers/retrieval/expansion/expander.ts';
import type { ClaimText } from '../../../workers/verification/claim.ts';
import { splitPassages } from '../../../workers/verification/passages.ts';

export type TestGeneration = ReturnType<typeof openTestGeneration>;

const signal = new AbortController().signal;

export function openTestGeneration(encoder: PassageEncoder, name = 'test') {
  const dataDir = mkdtempSync(join(tmpdir(), 'sidelight-'));
  const engine = openEmbeddedEngine(dataDir);
  const manifest = {
    ...{ generation: name, createdAt: '2026-01-02T03:04:05.000Z', state: 'ready' as const, pages: 0, passages: 0 },
    encoder: { version: encoder.version, dimensions: encoder.dimensions },
    sparse: engine.describe(name),
    shards: [{ shard: 0, sealed: null }],
  };
  const opened = openGeneration({ manifest, dataDir, engine, log: createLogger('silent', 'test'), create: {} });
  const retrievers = openRetrievers(opened, { encoder, expander: noExpansion });
  return {
    ...{ dataDir, engine, manifest, opened, corpus: opened.corpus, retrievers },
    async add(...pages: Pick<PageRecord, 'url' | 'title' | 'text'>[]): Promise<void> {
      const arms = { corpus: opened.corpus, sparse: await opened.sparse(), dense: opened.dense, encoder };
      for (const { url, title, text } of pages) {
        const page = { url, title, text, language: 'en', crawledAt: null, publishedAt: null, sourceKey: null };
        await indexPassages(arms, opened.corpus.put(page, splitPassages(page)), signal);
      }
    },
    /** What the retrievers answer, as the suggestion stage gets it. */
    search: (claim: ClaimText) =>
      Promise.all(retrievers.map(async ({ arm, search }) => ({ ...(await search(claim, signal)), arm }))),
    async remove() {
      await opened.close();
      await engine.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}
