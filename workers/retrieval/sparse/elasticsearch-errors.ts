/** What the client of Elasticsearch throws → our errors, by class, status and type, never by message. */
import { errors } from '@elastic/elasticsearch';
import { z } from 'zod';
import type { ElasticsearchSettings } from '../../../shared/config.ts';
import { RefuseToStart, RequestError, TransientError } from '../../../shared/errors.ts';

/** After the server's name. */
export const WRONG_SERVER = 'is not supported: Sidelight needs Elasticsearch 8 or 9 (ELASTICSEARCH_URL).';

/** `first request`: other versions refuse it for the media type that names version 8. What is none of the client's errors stays. */
export function toOurError(
  error: unknown,
  settings: Pick<ElasticsearchSettings, 'nodes'>,
  at: 'first request' | 'any request' = 'any request',
): unknown {
  const where = settings.nodes.join(', ');
  if (error instanceof errors.ProductNotSupportedError)
    return new RefuseToStart(`The server at ${where} ${WRONG_SERVER}`);
  if (error instanceof errors.ResponseError) {
    const { statusCode = 0 } = error;
    if (at === 'first request' && (statusCode === 400 || statusCode === 406)) {
      return new RefuseToStart(`The server at ${where} ${WRONG_SERVER}`);
    }
    return fromStatus(statusCode, typeOf(error)) ?? error;
  }
  if (UNREACHABLE.some((type) => error instanceof type)) {
    return new TransientError(`Elasticsearch does not answer at ${where}`, { cause: error });
  }
  return error;
}

/** Of a whole answer, or of one item of a bulk. Null if it is neither passing nor for a person to mend. */
export function fromStatus(status: number, type: string): Error | null {
  if (type === 'cluster_block_exception' && (status === 403 || status === 429)) return new TransientError(READ_ONLY);
  if (type === 'index_not_found_exception') return new RequestError('no_such_index', NO_INDEX);
  if (status === 401 || status === 403) return new RefuseToStart(`Elasticsearch refuses us (${type}): ${CREDENTIALS}`);
  if (PASSING.has(status)) return new TransientError(`Elasticsearch can't do it now (${status} ${type})`);
  return null;
}

/** Elasticsearch's own name of what went wrong: `resource_already_exists_exception`. */
export function typeOf(error: unknown): string {
  return Failure.safeParse(error).data?.body.error.type ?? 'unknown';
}

const Failure = z.object({ body: z.object({ error: z.object({ type: z.string() }) }) });

const UNREACHABLE = [errors.ConnectionError, errors.NoLivingConnectionsError, errors.TimeoutError];
/** 429: its queues are full. 503: no master, or a red index. */
const PASSING = new Set([408, 429, 502, 503, 504]);
const READ_ONLY =
  'Elasticsearch takes no more documents: the index is read-only, as it is made when a disk is nearly full (flood-stage watermark)';
const NO_INDEX = 'Elasticsearch has no index of that generation: see `sidelight corpus stats`';
const CREDENTIALS =
  'see ELASTICSEARCH_API_KEY, or user:password in ELASTICSEARCH_URL; the cluster privilege `monitor` and `all` on indices of ELASTICSEARCH_PREFIX are needed.';
