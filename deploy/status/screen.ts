/** A status on one screen of 80 × 24: what is there, what waits, what fails, what to do. In: a status and advice. Out: text. */
import type { QueueState } from '../../shared/queue-state.ts';
import type { Advice } from './advice.ts';
import type { Status, Told } from './read.ts';
import { age, amount, bytes } from './words.ts';

export function screen(status: Status, advice: readonly Advice[]): string {
  const head = [title(status, advice), ...servers(status)];
  const queues = 'away' in status.redis ? [] : table(status.redis.queues);
  const fails = 'away' in status.redis ? [] : troubles(status.redis.troubles);
  const left = ROWS - head.length - queues.length - fails.length - 1;
  return [...head, ...queues, ...fails, ...toDo(advice, Math.max(left, 4))].join('\n');
}

function title({ wiki, at }: Status, advice: readonly Advice[]): string {
  const worst = advice.some(({ how }) => how === 'broken') ? 'BROKEN' : advice.length > 0 ? 'NEEDS A LOOK' : 'FINE';
  const left = `Sidelight for ${wiki}`.slice(0, 45);
  return `${left}  ${`${at.slice(0, 16).replace('T', ' ')} UTC  ${worst}`.padStart(COLUMNS - left.length - 2)}`;
}

function servers({ redis, sql, elasticsearch, shards }: Status): string[] {
  return [
    'away' in redis ? `Redis   AWAY: ${redis.away}` : redisLine(redis),
    'away' in sql ? `SQL     AWAY: ${sql.away}` : sqlLine(sql),
    `Corpus  ${corpusLine(elasticsearch)}${'away' in redis ? '' : shardLine(redis.queues, shards)}`,
    ...('away' in redis
      ? []
      : [
          `Bot     ${redis.bot.lag === null ? 'has heard nothing yet' : `heard the wiki ${age(redis.bot.lag)} ago`}${droppedWords(redis.dropped)}`,
        ]),
  ];
}

/** Since there is this Redis. */
function droppedWords(dropped: Record<string, number>): string {
  const rules = Object.entries(dropped).filter(([, count]) => count > 0);
  return rules
    .map(([rule, count]) => `, ${amount(count)} dropped: ${rule}`)
    .join('')
    .slice(0, 45);
}

function redisLine({ usedBytes, limitBytes, policy, appendOnly }: Exclude<Status['redis'], { away: string }>): string {
  return `Redis   ${bytes(usedBytes)} of ${bytes(limitBytes)}, ${policy}, ${appendOnly ? 'log on disk' : 'NO LOG ON DISK'}`;
}

function sqlLine({ kind, openFindings, lastDecision }: Exclude<Status['sql'], { away: string }>): string {
  const name = kind === 'mariadb' ? 'MariaDB' : 'SQLite';
  if (openFindings === null) return `SQL     ${name}, no findings yet`;
  const last =
    lastDecision === null ? 'no decision yet' : `last decision ${lastDecision.slice(0, 16).replace('T', ' ')}`;
  return `SQL     ${name}, ${amount(openFindings)} findings open, ${last}`;
}

function corpusLine(elasticsearch: Status['elasticsearch']): string {
  if (elasticsearch === null) return 'in files';
  if ('away' in elasticsearch) return `Elasticsearch AWAY: ${elasticsearch.away}`;
  return `Elasticsearch, generation ${elasticsearch.generation ?? 'none'}`;
}

function shardLine(queues: readonly QueueState[], shards: Status['shards']): string {
  if (shards === null) return ', no shards';
  const held = shards.filter((shard) =>
    queues.some(({ queue, workers }) => queue === `retrieval-dense-${shard}` && workers > 0),
  );
  const unasked = shards.filter((shard) => !queues.some(({ queue }) => queue === `retrieval-dense-${shard}`));
  const not = unasked.length > 0 ? `, ${unasked.length} not asked yet` : '';
  return `, ${held.length} of ${shards.length} shards held${not}`;
}

/** Queues in which something is, a line each; those at rest are named together. */
function table(queues: readonly QueueState[]): string[] {
  const isBusy = ({ jobs }: QueueState) => Object.values(jobs).some((count) => count > 0);
  const rows = queues.filter(isBusy);
  const rest = queues.filter((queue) => !isBusy(queue));
  const shown =
    rows.length <= MOST_QUEUES ? rows : [...rows].sort((a, b) => b.jobs.waiting - a.jobs.waiting).slice(0, MOST_QUEUES);
  const more = rows.length - shown.length;
  return [
    line('Queue', ['waiting', 'oldest', 'delayed', 'running', 'parents', 'failed', 'workers']),
    ...shown.map((row) => line(row.queue, cells(row))),
    ...(more > 0 ? [`… and ${more} more: --json`] : []),
    ...(rest.length > 0
      ? [clip(`At rest: ${rest.map(({ queue, workers }) => `${queue} ${workers}`).join(', ')}`, 2)].flat()
      : []),
  ];
}

function cells({ jobs, oldest, workers }: QueueState): string[] {
  const { waiting, delayed, active, waiting_children: parents, failed } = jobs;
  return [amount(waiting), age(oldest.waiting), ...[delayed, active, parents, failed, workers].map(amount)];
}

function line(name: string, values: readonly string[]): string {
  return `${name.padEnd(20)}${values.map((value) => value.padStart(8)).join('')}`;
}

/** By what, where and why, the most frequent first; then the newest that was given up. */
function troubles(told: readonly Told[]): string[] {
  const groups = new Map<string, number>();
  for (const { what, queue, code } of told) {
    const key = `${what} in ${queue}: ${code}`;
    groups.set(key, (groups.get(key) ?? 0) + 1);
  }
  const sorted = [...groups].sort(([, a], [, b]) => b - a);
  const newest = told.find(({ what }) => what === 'failed');
  return [
    ...(sorted.length > 0 ? ['In the last hour'] : []),
    ...sorted.slice(0, MOST_TROUBLES).map(([key, count]) => `${amount(count).padStart(6)} ${key}`.slice(0, COLUMNS)),
    ...(sorted.length > MOST_TROUBLES ? [`       … and ${sorted.length - MOST_TROUBLES} more: --json`] : []),
    ...(newest === undefined ? [] : [`  last job given up: ${newest.job}`.slice(0, COLUMNS)]),
  ];
}

function toDo(advice: readonly Advice[], most: number): string[] {
  if (advice.length === 0) return ['Nothing to do.'];
  const lines = advice.flatMap(({ text }) => clip(`- ${text}`, 2));
  const shown = lines.length <= most ? lines : [...lines.slice(0, most - 1), '… more: --json'];
  return ['To do', ...shown];
}

/** Broken at words, over so many lines at most. */
function clip(text: string, lines: number): string[] {
  const broken: string[] = [];
  let rest = text;
  while (rest.length > COLUMNS && broken.length < lines - 1) {
    const at = rest.lastIndexOf(' ', COLUMNS);
    broken.push(rest.slice(0, at));
    rest = `  ${rest.slice(at + 1)}`;
  }
  return [...broken, rest.length > COLUMNS ? `${rest.slice(0, COLUMNS - 1)}…` : rest];
}

const COLUMNS = 80;
const ROWS = 24;
const MOST_QUEUES = 7;
const MOST_TROUBLES = 2;
