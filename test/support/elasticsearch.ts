/** A real Elasticsearch for a test file: its own processes, ports and folder. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ElasticsearchOptions,
  elasticsearchProgram,
  type RunningElasticsearch,
  serveElasticsearch,
} from '../../deploy/servers/elasticsearch/elasticsearch.ts';
import { onFreePort } from './port.ts';
import { findProgram } from './program.ts';

export type { RunningElasticsearch };

/** Why there is no Elasticsearch here; null if there is. */
export function elasticsearchUnavailable(): string | null {
  if (findProgram('java') === null) return 'no Java: deploy/setup says which package it needs';
  return existsSync(`${elasticsearchProgram()}/key`) ? null : 'no Elasticsearch: deploy/setup builds it';
}

/** Stop it when done: that also removes its folder. */
export async function startElasticsearch(
  options: Omit<ElasticsearchOptions, 'port' | 'dir'> = {},
): Promise<RunningElasticsearch> {
  const dir = await mkdtemp(join(tmpdir(), 'sidelight-elasticsearch-'));
  const elasticsearch = await onFreePort((port) => serveElasticsearch({ ...options, port, dir }));
  return {
    ...elasticsearch,
    async stop(deadlineMs = 0) {
      await elasticsearch.stop(deadlineMs);
      await rm(dir, { recursive: true, force: true });
    },
  };
}
