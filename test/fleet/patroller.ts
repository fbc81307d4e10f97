/**
 * A person who decides while the fleet works, over HTTP, and remembers what was acknowledged. In: the review service's origin. Out: the
 * decisions that must stand. A service that is away is asked again until it answers: the same decision sent twice is one.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { FindingRow } from '../../workers/review/routes/api/answers.ts';
import { createRandom } from './random.ts';

export interface Acknowledged {
  finding: number;
  decision: 'accept' | 'reject';
}

export interface Patroller {
  /** So far. */
  acknowledged: readonly Acknowledged[];
  /** Resolves once what was begun is acknowledged or refused. */
  stop(): Promise<void>;
}

/** One decision a `pauseMs` at most; `most` in all. */
export function startPatroller(options: { origin: string; seed: number; pauseMs: number; most: number }): Patroller {
  const abort = new AbortController();
  const acknowledged: Acknowledged[] = [];
  const running = patrol(options, acknowledged, abort.signal);
  return {
    acknowledged,
    async stop() {
      abort.abort();
      await running;
    },
  };
}

type Options = Parameters<typeof startPatroller>[0];

async function patrol(options: Options, acknowledged: Acknowledged[], signal: AbortSignal): Promise<void> {
  const { origin, seed, pauseMs, most } = options;
  const random = createRandom(seed, 'patroller');
  const token = await insist(() => signIn(origin), signal);
  while (token !== null && !signal.aborted && acknowledged.length < most) {
    const open = await insist(() => listOpen(origin, token), signal);
    if (open !== null && open.length > 0) {
      const decision = random.next() < 0.5 ? 'accept' : 'reject';
      const finding = random.choose(open);
      const isDone = await settle({ origin, token, finding, decision });
      if (isDone) acknowledged.push({ finding, decision });
    }
    await wait(pauseMs, undefined, { signal }).catch(() => null);
  }
}

/** Until it works; null once it is told to stop. */
async function insist<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | null> {
  while (!signal.aborted) {
    try {
      return await work();
    } catch {
      await wait(RETRY_MS, undefined, { signal }).catch(() => null);
    }
  }
  return null;
}

/** With the wiki's OAuth, and a token made in the session, which outlives it. */
async function signIn(origin: string): Promise<string> {
  let cookie = '';
  let url = `${origin}/sign-in?to=/account`;
  for (let hop = 0; hop < 5; hop += 1) {
    const answer = await ask(url, { redirect: 'manual', headers: url.startsWith(origin) ? { cookie } : {} });
    if (url.startsWith(origin)) cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    const location = answer.headers.get('location');
    if (location !== null) url = new URL(location, url).href;
    else return makeToken(origin, cookie, await answer.text());
  }
  throw new Error('sign-in goes round in a circle');
}

async function makeToken(origin: string, cookie: string, page: string): Promise<string> {
  const csrf = /name="_csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const answer = await ask(`${origin}/api/tokens`, {
    method: 'POST',
    headers: { cookie, 'x-csrf-token': csrf, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'patroller' }),
  });
  return z.object({ secret: z.string() }).parse(await answer.json()).secret;
}

/** Judged findings that have something to mend: what nobody could read may be read later. */
async function listOpen(origin: string, token: string): Promise<number[]> {
  const { findings } = Findings.parse(await (await ask(`${origin}/api/findings?limit=50`, bearer(token))).json());
  return findings.flatMap(({ id, finding }) => (finding.score === null ? [] : [id]));
}

const Findings = z.object({ findings: z.array(FindingRow) });

interface Deciding extends Acknowledged {
  origin: string;
  token: string;
}

/** False where it was refused: somebody else, or an edit, was quicker. Insists, since what became of it is not known otherwise. */
async function settle({ origin, token, finding, decision }: Deciding): Promise<boolean> {
  const never = new AbortController().signal;
  const post = (path: string, body: object) =>
    insist(async () => {
      const init = bearer(token, { 'content-type': 'application/json' });
      const answer = await fetch(`${origin}/api/findings/${finding}/${path}`, {
        ...{ ...init, method: 'POST', body: JSON.stringify(body) },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (answer.status >= 500) throw new Error(`HTTP ${answer.status}`);
      await answer.body?.cancel();
      return answer.ok;
    }, never);
  return (await post('lease', {})) === true && (await post('decision', { decision })) === true;
}

function bearer(token: string, others: Record<string, string> = {}): { headers: Record<string, string> } {
  return { headers: { authorization: `Bearer ${token}`, ...others } };
}

async function ask(url: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (answer.status >= 400) throw new Error(`HTTP ${answer.status} from ${url}`);
  return answer;
}

const TIMEOUT_MS = 10_000;
const RETRY_MS = 1000;
