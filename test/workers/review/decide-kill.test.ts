/** The real service process, killed while decisions are on their way. Needs what `npm run build` makes. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { freePort } from '../../../deploy/servers/port.ts';
import { parseConfig } from '../../../shared/config.ts';
import { repositoryRoot } from '../../../shared/root.ts';
import { openReviewDatabase, type Schema } from '../../../workers/review/database.ts';
import { record } from '../../../workers/review/record.ts';
import { describeWith } from '../../support/describe-with.ts';
import { startMariaDb } from '../../support/mariadb.ts';
import { type RunningRedis, startRedis } from '../../support/redis.ts';
import { type SignedIn, signIn } from './served.ts';
import { findingOf } from './store.ts';

const SECRET = 'a secret of tests that signs the cookies';
const DECISIONS = ['accept', 'reject', 'skip', 'cant_tell'] as const;
const FINDINGS = 60;

/** Where the database lies, as the service is told. */
type Ground = (folder: string) => Promise<{ place: string; settings: Record<string, string>; leave(): Promise<void> }>;

const inFile: Ground = async (folder) => {
  return { place: join(folder, 'review.sqlite'), settings: {}, leave: async () => undefined };
};
const onMariaDb: Ground = async () => {
  const maria = await startMariaDb();
  return { place: maria.url, settings: { DATABASE_URL: maria.url }, leave: () => maria.stop(0) };
};

describeWith(['redis'], 'when the service is killed while people decide', () => cases(inFile));
describeWith(['redis', 'mariadb'], 'when it is killed on MariaDB', () => cases(onMariaDb));

function cases(lay: Ground): void {
  let folder: string;
  let ground: Awaited<ReturnType<Ground>>;
  let redis: RunningRedis;
  let db: Kysely<Schema>;
  let child: ChildProcess;
  let origin: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sidelight-kill-'));
    redis = await startRedis();
    ground = await lay(folder);
    db = await openReviewDatabase(ground.place);
    for (let at = 1; at <= FINDINGS; at += 1) await record(db, findingOf(`Claim ${at}.`));
  }, 120_000);
  afterAll(async () => {
    await end();
    await db.destroy();
    await redis.stop(2000);
    await ground.leave();
    await rm(folder, { recursive: true });
  });

  async function start(): Promise<void> {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    const { WIKI, ...environment } = process.env;
    const settings = { DATA_DIR: folder, REDIS_URL: redis.url, REVIEW_PORT: String(port), SESSION_SECRET: SECRET };
    child = fork(join(repositoryRoot(), '.build/deploy/main.js'), ['review'], {
      env: { ...environment, ...settings, ...ground.settings, LOG_LEVEL: 'silent' },
    });
    const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    if (message !== 'ready') throw new Error(`the service ended with ${message}`);
  }

  async function end(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  async function ask({ headers }: SignedIn, path: string, body: object): Promise<boolean> {
    const response = await fetch(`${origin}/api/findings/${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await response.arrayBuffer();
    return response.ok;
  }

  const decisionOn = (id: number) => DECISIONS[id % DECISIONS.length] ?? 'skip';
  const decide = async (person: SignedIn, id: number) =>
    (await ask(person, `${id}/lease`, {})) && ask(person, `${id}/decision`, { decision: decisionOn(id) });

  test('every decision that was acknowledged is there, once, and those that were not can be sent again', async () => {
    await start();
    const { wiki } = parseConfig({});
    const names = ['Ada', 'Ben', 'Cleo'];
    const people = await Promise.all(
      names.map((name) => signIn(db, origin, name, ['patroller'], { wiki, signIn: { secret: SECRET } })),
    );
    const acknowledged = new Set<number>();
    const outcomes = await Promise.allSettled(
      people.map(async (person, part) => {
        for (let id = part + 1; id <= FINDINGS; id += people.length) {
          if (await decide(person, id)) acknowledged.add(id);
          if (acknowledged.size === FINDINGS / 3) child.kill('SIGKILL');
        }
      }),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await end();
    const kept = await decided();
    expect([...acknowledged].filter((id) => !kept.has(id))).toEqual([]);
    expect(kept.size).toBeLessThanOrEqual(acknowledged.size + people.length);
    await start();
    for (const [part, person] of people.entries()) {
      for (let id = part + 1; id <= FINDINGS; id += people.length) {
        if (!acknowledged.has(id) && !kept.has(id)) expect(await decide(person, id)).toBe(true);
      }
    }
    expect((await decided()).size).toBe(FINDINGS);
  }, 120_000);

  /** Findings with a decision, by id, read by a connection of its own. Throws where one was decided twice, or half. */
  async function decided(): Promise<Set<number>> {
    const file = await openReviewDatabase(ground.place);
    const rows = await file
      .selectFrom('decisions')
      .innerJoin('findings', 'findings.id', 'decisions.finding_id')
      .leftJoin('leases', 'leases.finding_id', 'findings.id')
      .select(['findings.id', 'findings.decision', 'findings.state', 'decisions.decision as said', 'leases.user_id'])
      .execute();
    await file.destroy();
    const states = { accept: 'accepted', reject: 'closed', skip: 'open', cant_tell: 'open' };
    for (const { id, decision, state, said, user_id: holder } of rows) {
      const expected = decisionOn(id);
      expect({ decision, state, said, holder }).toEqual({
        decision: expected,
        state: states[expected],
        said: expected,
        holder: null,
      });
    }
    const ids = new Set(rows.map(({ id }) => id));
    expect(rows).toHaveLength(ids.size);
    return ids;
  }
}
