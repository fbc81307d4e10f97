/**
 * `sidelight sources`: the health of links and what people say of them, texts that people give, and what was fetched as WARC files.
 * All of it lies in the sources' database; nothing is fetched. Out: a table, a line, or one JSON object.
 */
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import Table from 'cli-table3';
import { bareCitation } from '../../shared/bare-citation.ts';
import type { Config } from '../../shared/config.ts';
import { RequestError } from '../../shared/errors.ts';
import { parseHttpUrl } from '../../shared/url.ts';
import { MAX_GIVEN, readGiven } from '../../workers/source/given.ts';
import { type Correction, dueAt, type Health, inForce } from '../../workers/source/health.ts';
import { typeOfFile } from '../../workers/source/page.ts';
import { openSourceStore, type SourceStore } from '../../workers/source/store.ts';
import type { Imported } from '../../workers/source/warc.ts';
import { print } from './print.ts';

export interface HealthOptions {
  state?: Health['state'] | 'corrected';
  limit: string;
  json: boolean;
}

export interface CorrectOptions {
  state: Correction['state'] | 'clear';
  note: string;
}

export interface GiveOptions {
  file?: string;
  withdraw?: boolean;
}

export interface ExportOptions {
  url?: string;
  since?: string;
  json: boolean;
}

/** `url`: default all links. */
export async function showHealth(config: Config, url: string | undefined, options: HealthOptions): Promise<void> {
  const limit = Number(options.limit);
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new RequestError('no_number', `--limit: ${options.limit} is no whole number above 0`);
  await withStore(config, async ({ links }) => {
    const { state } = options;
    const listed =
      url === undefined
        ? await links.list({ ...(state !== undefined && { state }), limit })
        : [{ url: checkUrl(url), health: await links.get(url) }];
    const counts = await links.counts();
    print(options.json ? { counts, links: listed.map(linkJson) } : `${countsText(counts)}\n${linksTable(listed)}`);
  });
}

/** Throws RequestError for what is no address. Findings change when their claims are checked again. */
export async function correctLink(config: Config, url: string, { state, note }: CorrectOptions): Promise<void> {
  await withStore(config, async ({ links }) => {
    await links.correct(checkUrl(url), state, note, Date.now());
    const said = state === 'clear' ? 'what was said of it is taken back' : `it counts as ${state} from now on`;
    print(`${url}: ${said}\n${CHECK_AGAIN} sidelight requeue --citation ${url}`);
  });
}

/** Throws RequestError for a file that can't be read, is too large, or has no text. */
export async function giveSource(config: Config, url: string, { file, withdraw }: GiveOptions): Promise<void> {
  const citation = bareCitation(checkUrl(url), url);
  const given = withdraw || file === undefined ? null : await readGivenFile(citation, file);
  if (given === null && !withdraw)
    throw new RequestError('nothing_given', 'give --file FILE, or - for what is piped in');
  await withStore(config, async (store) => {
    if (given !== null) await store.given.put(citation, given);
    else if (!(await store.given.withdraw(citation.hash)))
      throw new RequestError('not_found', `nothing was given for ${url}`);
    const what = given === null ? 'what was given is forgotten' : `${given.text.length} characters are kept, private`;
    print(`${url}: ${what}\n${CHECK_AGAIN} sidelight requeue --citation ${url}`);
  });
}

/** Throws RequestError for an address, date or file that is none. */
export async function exportSources(
  config: Config,
  file: string,
  options: ExportOptions,
  signal: AbortSignal,
): Promise<void> {
  const url = options.url === undefined ? null : checkUrl(options.url);
  const since = options.since === undefined ? null : checkTime(options.since);
  const { exportWarc } = await import('../../workers/source/warc.ts'); // its library loads slowly
  await withStore(config, async ({ responses }) => {
    const count = await exportWarc(responses, file, { url, since }, signal).catch(refuseFile(file));
    print(options.json ? { file, responses: count } : `${file}: ${count} responses`);
  });
}

/** Exits with 1 for a file without responses, and where the file breaks off: what comes before that is imported. */
export async function importSources(
  config: Config,
  file: string,
  { json }: { json: boolean },
  signal: AbortSignal,
): Promise<void> {
  const { importWarc } = await import('../../workers/source/warc.ts');
  await withStore(config, async ({ responses }) => {
    const imported = await importWarc(responses, file, signal).catch(refuseFile(file));
    print(json ? { file, ...imported } : importedText(file, imported));
    if (imported.broken !== null || imported.responses === 0) process.exitCode = 1;
  });
}

async function withStore(config: Config, use: (store: SourceStore) => Promise<void>): Promise<void> {
  const store = await openSourceStore(config.databases.sources, config.sources);
  try {
    await use(store);
  } finally {
    await store.close();
  }
}

async function readGivenFile(citation: ReturnType<typeof bareCitation>, file: string) {
  const body = await (file === '-' ? buffer(process.stdin) : readFile(file)).catch(refuseFile(file));
  if (body.length > MAX_GIVEN.pdf) throw new RequestError('too_large', `--file: ${file} is larger than a PDF may be`);
  return readGiven(citation, { body, contentType: file === '-' ? 'text/plain' : typeOfFile(file) }, Date.now());
}

function refuseFile(file: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code === undefined || error.syscall === undefined) throw error; // not the file system's
    throw new RequestError('no_such_file', `${file} can't be read or written (${error.code})`);
  };
}

function checkUrl(url: string): string {
  if (parseHttpUrl(url) === null) throw new RequestError('invalid_url', `${url} is no http(s) address`);
  return url;
}

function checkTime(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new RequestError('no_date', `--since: ${text} is no date`);
  return time.toISOString();
}

function linkJson({ url, health }: { url: string; health: Health }) {
  const { state, reason, failures, correction } = health;
  const times = { failing_since: health.failedFrom, looked_at: health.lookedAt, due_at: dueAt(health, Date.now()) };
  const said = correction && { ...correction, madeAt: toIso(correction.madeAt) };
  return { url, state, reason, failures, ...mapTimes(times), correction: said };
}

function mapTimes(times: Record<string, number | null>): Record<string, string | null> {
  return Object.fromEntries(Object.entries(times).map(([name, time]) => [name, toIso(time)]));
}

function toIso(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

function countsText(counts: Partial<Record<string, number>>): string {
  const { due = 0, ...states } = counts;
  const parts = Object.entries(states).map(([state, count]) => `${count} ${state}`);
  return parts.length === 0 ? 'no link was looked at yet' : `${parts.join(', ')}; ${due} to be looked at again now`;
}

function linksTable(listed: readonly { url: string; health: Health }[]): string {
  const table = new Table({
    head: ['link', 'state', 'last look', 'showed', 'failures', 'looked at again'],
    style: { head: [], border: [], compact: true },
  });
  for (const { url, health } of listed) {
    const said = inForce(health, Date.now());
    const state = said === null ? health.state : `${said.state}, says a person${said.note && `: ${said.note}`}`;
    const day = (time: number | null) => toIso(time)?.slice(0, 16).replace('T', ' ') ?? '';
    const due = day(dueAt(health, Date.now()));
    table.push([url.replace(/\p{Cc}/gu, ''), state, day(health.lookedAt), health.reason ?? '', health.failures, due]);
  }
  return table.length === 0 ? '' : table.toString();
}

function importedText(file: string, { responses, passedOver, broken }: Imported): string {
  if (responses === 0 && broken === null) return `${file}: no response in it; is it a WARC file?`;
  const end = broken === null ? '' : `; the file is ${broken} there`;
  const others = passedOver === 0 ? '' : `, other records passed over: ${passedOver}`;
  return `${file}: responses kept: ${responses}${others}${end}`;
}

const CHECK_AGAIN = 'claims that cite it are checked again by:';
