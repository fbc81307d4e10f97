/**
 * The corpus of a fleet: pages that nobody cites, in two dense shards and in Elasticsearch. Its files go to every host that reads them. In: a fleet whose servers
 * answer. Out: a generation that is searched. Built by the command, as an operator does it.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { ARTICLES_OF_PLACE, makeChronicle } from './articles.ts';
import { buildOf, cluster, type Fleet, type FleetOptions } from './fleet.ts';
import { onHost } from './hosts.ts';
import { addressOf } from './web.ts';

/** Pages: every so many places have one, so that a search reads few passages. */
const CHRONICLES = 12;

export async function buildCorpus(fleet: Fleet, options: FleetOptions): Promise<void> {
  const first = fleet.host('shard-1');
  const pages = `${first.dir}/pages.jsonl`;
  await writeFile(pages, chronicles(options).join('\n'));
  await sidelight(fleet, options, ['corpus', 'build', 'fleet', '--input', pages, '--shards', '2', '--type', 'flat']);
  await sidelight(fleet, options, ['corpus', 'switch', 'fleet']);
  for (const { dir } of (['shard-2', 'workers-1', 'workers-2'] as const).map(fleet.host)) {
    await mkdir(`${dir}/data`, { recursive: true });
    await cp(`${first.dir}/data/corpus`, `${dir}/data/corpus`, { recursive: true });
  }
  await cluster(fleet.host('es1'), 'wait_for_status=green');
}

/** The command line as an operator has it on a host; what it prints. Throws with what it says where it fails. */
export async function sidelight(
  fleet: Fleet,
  options: Pick<FleetOptions, 'build'>,
  command: readonly string[],
): Promise<string> {
  const host = fleet.host('shard-1');
  const [program = '', ...args] = onHost(host, [process.execPath, `${buildOf(options)}/deploy/main.js`, ...command]);
  const env = { PATH: process.env.PATH ?? '', ...fleet.settings(host) };
  return (await promisify(execFile)(program, args, { env, maxBuffer: 2 ** 26 })).stdout;
}

function chronicles({ seed, articles }: FleetOptions): string[] {
  const places = Math.ceil(articles / ARTICLES_OF_PLACE);
  const every = Math.max(1, Math.floor(places / CHRONICLES));
  return Array.from({ length: Math.ceil(places / every) }, (_, at) => {
    const page = makeChronicle(seed, at * every);
    const url = addressOf(page, 'fleet.example');
    return JSON.stringify({ id: `${at}`, url, title: page.title, text: page.paragraphs.join('\n') });
  });
}
