/**
 * What is counted and measured, by name, in the one registry of a process. In: numbers from wherever something happens. Out:
 * Prometheus' text. No label carries a text, a title or an address: their values are few, or kept few (`fetched-hosts.ts`).
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** From a cache's answer to a page that a slow archive takes minutes for. Seconds. */
const WORK = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
/** From at once to a day. Seconds. */
const WAIT = [0.1, 1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400];

/** Every metric, with what its labels can be. `queue`: a stage, or `retrieval-dense-<shard>`; `code`: class or code of an error. */
export const METRICS = {
  // jobs, told by each process of those that it does
  sidelight_job_seconds: {
    ...{ kind: 'histogram', buckets: WORK, labels: ['queue', 'outcome'] },
    help: 'Time that a job was worked on. outcome: done, failed, retried, postponed.',
  },
  sidelight_job_waited_seconds: {
    ...{ kind: 'histogram', buckets: WAIT, labels: ['queue'] },
    help: 'From when a job was added, or its children were done, to its first start.',
  },
  sidelight_jobs_failed_total: {
    ...{ kind: 'counter', labels: ['queue', 'code'] },
    help: 'Jobs that were given up.',
  },
  sidelight_jobs_retried_total: {
    ...{ kind: 'counter', labels: ['queue', 'code'] },
    help: 'Attempts that ended in an unexpected error and come again.',
  },
  sidelight_jobs_postponed_total: {
    ...{ kind: 'counter', labels: ['queue', 'code'] },
    help: 'Jobs put off because something is away or busy.',
  },
  sidelight_jobs_published_total: { kind: 'counter', labels: ['stage'], help: 'Jobs handed to the queues.' },
  sidelight_jobs_dropped_total: {
    ...{ kind: 'counter', labels: ['reason'] },
    help: 'Patrol work left undone because more comes than can be done.',
  },
  sidelight_shards_silent_total: {
    ...{ kind: 'counter', labels: ['queue'] },
    help: 'Searches that ended without the answer of this retriever.',
  },
  // queues, told by the review service for all of them
  sidelight_queue_jobs: {
    ...{ kind: 'gauge', labels: ['queue', 'state'] },
    help: 'Jobs now. state: waiting, delayed, active, waiting_children, failed.',
  },
  sidelight_queue_oldest_seconds: {
    ...{ kind: 'gauge', labels: ['queue', 'state'] },
    help: 'Age of the oldest job, to a minute. state: waiting, active, waiting_children.',
  },
  sidelight_queue_workers: { kind: 'gauge', labels: ['queue'], help: 'Processes that drain the queue.' },
  sidelight_redis_memory_bytes: { kind: 'gauge', labels: [], help: 'Memory that Redis uses.' },
  sidelight_redis_memory_limit_bytes: {
    ...{ kind: 'gauge', labels: [] },
    help: 'What Redis may use: its maxmemory, or the memory of its machine.',
  },
  // the bot
  sidelight_events_total: {
    ...{ kind: 'counter', labels: ['followed'] },
    help: 'Recent changes by what became of them (bot/follow.ts).',
  },
  sidelight_event_lag_seconds: {
    ...{ kind: 'gauge', labels: [] },
    help: 'Now less the time of the change that was last handed on, or heard and left.',
  },
  // sources
  sidelight_fetch_seconds: {
    ...{ kind: 'histogram', buckets: WORK, labels: ['outcome'] },
    help: 'Requests for sources. outcome: class of the status (2xx), or code of the failure.',
  },
  sidelight_host_fetches: {
    ...{ kind: 'gauge', labels: ['host'] },
    help: 'Requests for sources since the start, by host: the most asked hosts only.',
  },
  sidelight_sources_total: {
    ...{ kind: 'counter', labels: ['outcome'] },
    help: 'Sources read. outcome: stored, or the reason why not.',
  },
  sidelight_parser_kills_total: {
    ...{ kind: 'counter', labels: ['reason'] },
    help: 'Parsers stopped because a page took too much. reason: time, memory, crash.',
  },
  sidelight_children_total: {
    ...{ kind: 'counter', labels: ['network'] },
    help: 'Processes started for parsers. network: none; open where the host does not let us take it.',
  },
  // models and what spares them
  sidelight_model_seconds: {
    ...{ kind: 'histogram', buckets: WORK, labels: ['model'] },
    help: 'Runs of a model. model: cross_encoder, encoder, bi_encoder, second_opinion.',
  },
  sidelight_cache_lookups_total: {
    ...{ kind: 'counter', labels: ['cache', 'outcome'] },
    help: 'cache: sources, judgements. outcome: hit, miss.',
  },
  // findings and decisions, told by the review service
  sidelight_findings_total: {
    ...{ kind: 'counter', labels: ['verdict'] },
    help: 'Findings recorded, by verdict.',
  },
  sidelight_decisions_total: { kind: 'counter', labels: ['decision'], help: 'Decisions stored, by what was decided.' },
  sidelight_http_seconds: {
    ...{ kind: 'histogram', buckets: WORK, labels: ['route', 'method', 'status'] },
    help: 'Requests to the review service, by route.',
  },
  // each process
  sidelight_need_up: {
    ...{ kind: 'gauge', labels: ['need'] },
    help: 'Whether what the process needs answers: 1, 0. need: redis, sql, models, elasticsearch …',
  },
  sidelight_disk_free_bytes: { kind: 'gauge', labels: [], help: 'Free on the disk of DATA_DIR.' },
  sidelight_disk_size_bytes: { kind: 'gauge', labels: [], help: 'Size of the disk of DATA_DIR.' },
} as const satisfies Record<string, Declared>;

interface Declared {
  kind: 'counter' | 'gauge' | 'histogram';
  labels: readonly string[];
  help: string;
  buckets?: readonly number[];
}

export type MetricName = keyof typeof METRICS;
type Named<Kind> = { [Name in MetricName]: (typeof METRICS)[Name]['kind'] extends Kind ? Name : never }[MetricName];
export type Labels<Name extends MetricName> = Record<(typeof METRICS)[Name]['labels'][number], string>;

/** Adds to a counter. */
export function count<Name extends Named<'counter'>>(name: Name, labels: Labels<Name>, by = 1): void {
  find<Counter>(name).inc(labels, by);
}

/** One measured value, of a histogram. Seconds. */
export function observe<Name extends Named<'histogram'>>(name: Name, labels: Labels<Name>, seconds: number): void {
  find<Histogram>(name).observe(labels, seconds);
}

/** What a gauge stands at. */
export function set<Name extends Named<'gauge'>>(name: Name, labels: Labels<Name>, value: number): void {
  find<Gauge>(name).set(labels, value);
}

/** All that a gauge tells: what it told before and does not tell now is gone. */
export function replace<Name extends Named<'gauge'>>(
  name: Name,
  rows: readonly (readonly [Labels<Name>, number])[],
): void {
  const gauge = find<Gauge>(name);
  gauge.reset();
  for (const [labels, value] of rows) gauge.set(labels, value);
}

/**
 * Work that is measured, whether it ends well or not.
 *
 * @returns its result; what it throws is thrown on
 */
export async function timed<Name extends Named<'histogram'>, T>(
  name: Name,
  labels: Labels<Name>,
  work: () => Promise<T>,
): Promise<T> {
  const begun = performance.now();
  try {
    return await work();
  } finally {
    observe(name, labels, (performance.now() - begun) / 1000);
  }
}

/**
 * Asks for gauges whenever somebody reads the metrics, and only then. Where asking fails, `gauges` are left out: an old number
 * would look like a new one; so are they where the answer takes longer than Prometheus waits for all.
 *
 * @returns what ends it
 */
export function onRead(gauges: readonly Named<'gauge'>[], ask: () => Promise<void>): () => void {
  const asked = { gauges, ask };
  readers.add(asked);
  return () => {
    readers.delete(asked);
    for (const name of gauges) replace(name, []);
  };
}

/** All of this process, as Prometheus reads it; the process' own numbers (memory, processor, event loop) from the first call on. */
export async function readMetrics(): Promise<{ contentType: string; text: string }> {
  const { registry } = open();
  if (registry.getSingleMetric('process_cpu_seconds_total') === undefined)
    collectDefaultMetrics({ register: registry });
  await Promise.all([...readers].map(readGauges));
  return { contentType: registry.contentType, text: await registry.metrics() };
}

async function readGauges({ gauges, ask }: Reader): Promise<void> {
  const late = AbortSignal.timeout(ANSWER_MS);
  const isLate = new Promise<never>((_, reject) => {
    late.addEventListener('abort', () => reject(late.reason), { once: true });
  });
  await Promise.race([ask(), isLate]).catch(() => {
    for (const name of gauges) replace(name, []);
  });
}

/** Together with what /metrics asks before (health.ts), less than the 10 s that Prometheus waits. */
const ANSWER_MS = 4000;

interface Reader {
  gauges: readonly Named<'gauge'>[];
  ask(): Promise<void>;
}

const readers = new Set<Reader>();

type Metric = Counter | Gauge | Histogram;
let opened: { registry: Registry; metrics: Map<string, Metric> } | null = null;

/** Made by the first that counts something: importing this file does nothing. */
function open() {
  opened ??= make();
  return opened;
}

function make() {
  const registry = new Registry();
  const metrics = new Map<string, Metric>();
  for (const [name, declared] of Object.entries<Declared>(METRICS)) {
    const { kind, help, labels } = declared;
    const made = { name, help, labelNames: [...labels], registers: [registry] };
    if (kind === 'counter') metrics.set(name, new Counter(made));
    else if (kind === 'gauge') metrics.set(name, new Gauge(made));
    else metrics.set(name, new Histogram({ ...made, buckets: [...(declared.buckets ?? WORK)] }));
  }
  return { registry, metrics };
}

/** The caller's type parameter says which names are of which kind. */
function find<Kind extends Metric>(name: MetricName): Kind {
  // each name of METRICS is in the map, made by its kind
  return open().metrics.get(name) as Kind;
}
