/**
 * The labelled set of responses in test/fixtures/unavailable: `<reason>/<case>.http`, or `readable/`. Each is served by a gateway
 * on loopback and read as the product reads it. Out: label and outcome of each, and counts by reason. A third is kept aside
 * while predicates are tuned.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import pMap from 'p-map';
import { createReader } from '../../../workers/source/read.ts';
import { aCitation } from '../../support/examples.ts';
import { startWeb, type Web } from '../../support/web.ts';

/** One response as it came: where it was asked for, where it was found, status, headers, body. */
export interface LabelledResponse {
  /** `reason/case` */
  name: string;
  /** An unavailable reason, or 'readable'. */
  label: string;
  url: string;
  finalUrl: string;
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** Not looked at while predicates are tuned. */
  keptAside: boolean;
}

export interface Judged extends LabelledResponse {
  given: string;
}

/** How often a reason was given, was right, and was due. */
export interface ReasonCount {
  reason: string;
  due: number;
  given: number;
  right: number;
}

export async function readSet(folder = 'test/fixtures/unavailable'): Promise<LabelledResponse[]> {
  const labels = await readdir(folder);
  const cases = await Promise.all(
    labels.map(async (label) => (await readdir(join(folder, label))).map((file) => ({ label, file }))),
  );
  return Promise.all(
    cases.flat().map(async ({ label, file }) => {
      const name = `${label}/${file.replace(/\.http$/, '')}`;
      return { name, label, keptAside: isKeptAside(name), ...parse(await readFile(join(folder, label, file), 'utf8')) };
    }),
  );
}

/** Reads each response through a gateway that sends it. */
export async function judgeSet(set: readonly LabelledResponse[]): Promise<Judged[]> {
  const web = await startWeb(Object.fromEntries(set.map((each) => [routeOf(each), send(each)])));
  try {
    return await pMap(set, async (each) => ({ ...each, given: await judge(each, web) }), { concurrency: 8 });
  } finally {
    await web.close();
  }
}

export function countReasons(judged: readonly Judged[]): ReasonCount[] {
  const reasons = [...new Set(judged.flatMap(({ label, given }) => [label, given]))].sort();
  return reasons.map((reason) => ({
    reason,
    due: judged.filter(({ label }) => label === reason).length,
    given: judged.filter(({ given }) => given === reason).length,
    right: judged.filter(({ label, given }) => label === reason && given === reason).length,
  }));
}

export function toTable(counts: readonly ReasonCount[]): string {
  const share = (part: number, whole: number) => (whole === 0 ? '-' : (part / whole).toFixed(2)).padStart(9);
  const lines = counts.map(
    ({ reason, due, given, right }) =>
      `${reason.padEnd(18)}${String(due).padStart(5)}${String(given).padStart(7)}${share(right, given)} ${share(right, due)}`,
  );
  return ['reason              due  given precision    recall', ...lines, ''].join('\n');
}

async function judge({ name, url }: LabelledResponse, web: Web): Promise<string> {
  const gateway = `http://127.0.0.1:${web.port}/${name}?url={url}`;
  const limits = { totalMs: 60_000, silenceMs: 60_000 };
  const reader = createReader({ gateway, allowLoopback: false, waybackUrl: web.origin, userAgent: 'Test/1.0', limits });
  const source = await reader.read(
    { ...aCitation, url, archiveUrl: null, urlStatus: null },
    AbortSignal.timeout(60_000),
  );
  return source.kind === 'readable' ? 'readable' : source.reason;
}

function routeOf({ name, url }: LabelledResponse): string {
  return `/${name}?url=${encodeURIComponent(url)}`;
}

/** A body shorter than its Content-Length is a connection that broke off. */
function send({ status, headers, finalUrl, body }: LabelledResponse) {
  return (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, { ...headers, 'x-final-url': finalUrl });
    if (Number(headers['content-length'] ?? 0) > body.length) response.write(body, () => response.socket?.end());
    else response.end(body);
  };
}

/** `GET URL`, `STATUS URL`, headers, an empty line, the body: as text, or in base64 where a header says so. */
function parse(file: string) {
  const end = file.indexOf('\n\n');
  const [request = '', answer = '', ...fields] = file.slice(0, end).split('\n');
  const [status = '', finalUrl = ''] = answer.split(' ');
  const { 'content-transfer-encoding': encoding, ...headers } = Object.fromEntries(
    fields.map((field) => [field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 2)]),
  );
  const body = Buffer.from(file.slice(end + 2), encoding === 'base64' ? 'base64' : 'utf8');
  return { url: request.slice(4), finalUrl, status: Number(status), headers, body };
}

function isKeptAside(name: string): boolean {
  return (createHash('sha256').update(name).digest()[0] ?? 0) % 3 === 0;
}
