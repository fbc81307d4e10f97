/**
 * The sparse index in Elasticsearch 8 or 9, one index a generation (elasticsearch-mapping.ts says how a passage lies in it). In:
 * passages and weighted words. Out: hits. No scripts, no updates by query, nothing that a small cluster has not.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { estypes } from '@elastic/elasticsearch';
import { TransientError } from '../../../shared/errors.ts';
import type { Logger } from '../../../shared/logger.ts';
import type { Retrieved } from '../../../shared/pipeline.ts';
import { sendBulk } from './elasticsearch-bulk.ts';
import type { Elasticsearch } from './elasticsearch-connection.ts';
import { typeOf } from './elasticsearch-errors.ts';
import { codesOf, MAPPING, mappingOf, toDocument, toField } from './elasticsearch-mapping.ts';
import { type SparseIndex, toWeightClasses, type WeightClass } from './sparse-index.ts';

export interface ElasticsearchIndexOptions {
  elasticsearch: Elasticsearch;
  /** As `indexName` gives it. */
  index: string;
  log: Logger;
  /** Called for a passage that Elasticsearch refuses for what it is; it stays missing. Default: it is logged. */
  onRefused?: (passage: { id: number; url: string }, code: string) => void;
}

/** Of one generation. */
export function indexName(prefix: string, generation: string): string {
  return `${prefix}-${generation}`;
}

/** Where passages are written: it leads to its index alone. '_' is in no generation's name, so that no index is called so. */
export function writeAlias(index: string): string {
  return `${index}_write`;
}

/** Creates the index with nothing in it; leaves one that is there. `meta` is kept beside the mapping. */
export async function createIndex(
  { ask, settings }: Elasticsearch,
  index: string,
  meta: Record<string, unknown> = {},
): Promise<void> {
  const body = {
    settings: { number_of_shards: settings.shards, number_of_replicas: settings.replicas },
    mappings: { ...MAPPING, _meta: meta },
    aliases: { [writeAlias(index)]: { is_write_index: true } },
  };
  if (await ask((client) => client.indices.exists({ index }))) return;
  await ask((client) => client.indices.create({ index, ...body })).catch((error) => {
    if (typeOf(error) !== 'resource_already_exists_exception') throw error; // another process was quicker
  });
}

/** Asks nothing yet. Every method throws TransientError, RefuseToStart, or RequestError `no_such_index`. */
export function openElasticsearchIndex(options: ElasticsearchIndexOptions): SparseIndex {
  const { elasticsearch, index } = options;
  const { ask, settings } = elasticsearch;
  const languages = createLanguages(elasticsearch, index);
  return {
    async add(passages) {
      await languages.add(passages.map(({ language }) => toField(language)));
      const actions = passages.map((passage) => ({ id: passage.id, document: toDocument(passage) }));
      const refused = await sendBulk(elasticsearch, writeAlias(index), actions);
      for (const { id, code } of refused)
        report(options, { id, url: passages.find((one) => one.id === id)?.url ?? '' }, code);
    },
    async remove(ids) {
      const actions = ids.map((id) => ({ id, document: null }));
      await sendBulk(elasticsearch, writeAlias(index), actions);
    },
    async missing(ids) {
      const missing: number[] = [];
      for (let at = 0; at < ids.length; at += BATCH) {
        const asked = ids.slice(at, at + BATCH);
        const { docs } = await ask((client) => client.mget({ index, ids: asked.map(String), _source: false }));
        missing.push(...asked.filter((_, place) => !isFound(docs[place])));
      }
      return missing;
    },
    async count() {
      await ask((client) => client.indices.refresh({ index }));
      const { count } = await ask((client) => client.count({ index }));
      return count;
    },
    async search(words, k, signal) {
      signal?.throwIfAborted();
      const request = toRequest(toWeightClasses(words), await languages.list(), k, settings.timeoutMs);
      const options = {
        requestTimeout: settings.timeoutMs + ANSWER_MS,
        // one of its own: the client fires its timeout on it
        signal: AbortSignal.any(signal === undefined ? [] : [signal]),
      };
      const searchOnce = async () => {
        const answer = await ask((client) => client.search({ index, ...request }, options)).catch((error: unknown) => {
          signal?.throwIfAborted();
          throw error;
        });
        return toRetrieved(answer);
      };
      const first = await searchOnce();
      if (isWhole(first)) return first;
      // a node that was lost while it answered: its copies answer as soon as the cluster knows
      await wait(PARTIAL_MS);
      const second = await searchOnce();
      return second.shards.answered >= first.shards.answered ? second : first;
    },
    close: () => {},
  };
}

/**
 * BM25F: a word's frequencies in title (times three) and text are added before they are weighed, as FTS5 does it
 * (deploy/decisions/elasticsearch.md). The words are no syntax: `combined_fields` only splits them.
 */
export function toRequest(
  classes: readonly WeightClass[],
  languages: readonly string[],
  k: number,
  timeoutMs: number,
): estypes.SearchRequest {
  const should = classes.flatMap(({ weight, words }) =>
    languages.map((code) => ({
      combined_fields: { query: words.join(' '), fields: [`title.${code}^3`, `text.${code}`], boost: weight },
    })),
  );
  return {
    // a `bool` of nothing would match everything
    query: should.length === 0 ? { match_none: {} } : { bool: { should } },
    size: k,
    timeout: `${Math.ceil(timeoutMs)}ms`,
    allow_partial_search_results: true,
    track_total_hits: false,
    _source: false,
  };
}

/** Which shard ran out of time is not said: one at least has looked at a part only. */
function isWhole({ shards }: Retrieved): boolean {
  return shards.answered === shards.asked;
}

function toRetrieved({ hits, _shards, timed_out }: estypes.SearchResponse): Retrieved {
  const answered = timed_out ? Math.max(0, _shards.successful - 1) : _shards.successful;
  return {
    hits: hits.hits.map(({ _id, _score }) => ({ passageId: Number(_id), score: _score ?? 0 })),
    shards: { asked: _shards.total, answered },
  };
}

interface Languages {
  /** Adds the fields of languages before their first passage. */
  add(codes: readonly string[]): Promise<void>;
  /** Those that have passages; what other hosts have added is seen within a minute. */
  list(): Promise<string[]>;
}

function createLanguages({ ask }: Elasticsearch, index: string): Languages {
  const known = new Set<string>();
  let readAt = Number.NEGATIVE_INFINITY;
  const read = async () => codesOf(await ask((client) => client.indices.getMapping({ index })));
  return {
    async add(codes) {
      const added = [...new Set(codes)].filter((code) => !known.has(code));
      if (added.length === 0) return;
      await ask((client) => client.indices.putMapping({ index, properties: mappingOf(added) }));
      for (const code of added) known.add(code);
    },
    async list() {
      if (performance.now() - readAt > LANGUAGES_MS) {
        const codes = await read().catch((error: unknown) => {
          if (known.size === 0 || !(error instanceof TransientError)) throw error;
          return []; // a cluster that is electing a master still searches
        });
        for (const code of codes) known.add(code);
        readAt = performance.now();
      }
      return [...known];
    },
  };
}

function report(
  { onRefused, log, index }: ElasticsearchIndexOptions,
  passage: { id: number; url: string },
  code: string,
) {
  if (onRefused !== undefined) return onRefused(passage, code);
  log.warn({ ...passage, index, code }, 'Elasticsearch refuses a passage');
}

function isFound(item: estypes.MgetResponseItem | undefined): boolean {
  return item !== undefined && 'found' in item && item.found;
}

const BATCH = 1000;
const LANGUAGES_MS = 60_000;
/** For the way there and back, after a search's own deadline. */
const ANSWER_MS = 2000;
const PARTIAL_MS = 500;
