/**
 * The nodes of one Elasticsearch 8 or 9. In: settings. Out: a way to ask them that goes on with another node when one is away, and
 * that throws our errors (elasticsearch-errors.ts). What is asked stands in the files that ask.
 */
import { readFileSync } from 'node:fs';
import { Client } from '@elastic/elasticsearch';
import type { ElasticsearchSettings } from '../../../shared/config.ts';
import { RefuseToStart } from '../../../shared/errors.ts';
import { toOurError, WRONG_SERVER } from './elasticsearch-errors.ts';
import { findTlsProblem } from './elasticsearch-tls.ts';

export interface Elasticsearch {
  readonly settings: ElasticsearchSettings;
  /**
   * What the client answers. Before the first answer the server is looked at: throws RefuseToStart for another version, refused
   * credentials or an untrusted certificate; TransientError for what passes by itself.
   */
  ask<T>(request: (client: Client) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Asks nothing yet. Throws RefuseToStart if the certificate's file can't be read. */
export function connectElasticsearch(settings: ElasticsearchSettings): Elasticsearch {
  const ca = settings.ca === null ? undefined : readCertificate(settings.ca);
  const client = new Client({
    nodes: [...settings.nodes],
    ...(settings.auth === null ? {} : { auth: settings.auth }),
    tls: { ca, timeout: CONNECT_MS },
    // a node that is gone is noticed at once or after CONNECT_MS, and another one asked
    maxRetries: settings.nodes.length,
    // a bound for the slowest; the client allows a request less, not more
    requestTimeout: REQUEST_MS,
  });
  let checked: Promise<void> | null = null;
  const check = () => {
    checked ??= checkServer(client, settings, ca).catch((error: unknown) => {
      checked = null; // a server that was away is looked at again
      throw error;
    });
    return checked;
  };
  return {
    settings,
    async ask(request) {
      await check();
      return request(client).catch((error: unknown) => Promise.reject(toOurError(error, settings)));
    },
    close: () => client.close(),
  };
}

async function checkServer(client: Client, settings: ElasticsearchSettings, ca: Buffer | undefined): Promise<void> {
  const info = await client.info({}, { maxRetries: settings.nodes.length - 1 }).catch(async (error: unknown) => {
    const problem = await findTlsProblem(settings.nodes, ca);
    throw problem ?? toOurError(error, settings, 'first request');
  });
  const version = info.version.number;
  if (!/^[89]\./.test(version)) throw new RefuseToStart(`Elasticsearch ${version} ${WRONG_SERVER}`);
}

function readCertificate(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new RefuseToStart(`ELASTICSEARCH_CA: ${path} can't be read`, { cause: error });
  }
}

const CONNECT_MS = 3000;
/** Bulk requests, and what waits for a master or for disks. */
const REQUEST_MS = 120_000;
