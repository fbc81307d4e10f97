/** MariaDB is killed and comes back while people decide: the service waits for it, and nothing that was acknowledged is lost. */
import { setTimeout as wait } from 'node:timers/promises';
import { describeWith } from '../../../support/describe-with.ts';
import { startMariaDb, type TestMariaDb } from '../../../support/mariadb.ts';
import { type Served, type SignedIn, serve } from '../served.ts';
import { findingOf, layStoresOn } from '../store.ts';

const FINDINGS = 30;
const DECISIONS = ['accept', 'reject', 'skip', 'cant_tell'] as const;
const decisionOn = (id: number) => DECISIONS[id % DECISIONS.length] ?? 'skip';

describeWith(['mariadb'], 'when MariaDB is killed while people decide', () => {
  let maria: TestMariaDb;
  let served: Served;
  beforeAll(async () => {
    maria = await startMariaDb();
    layStoresOn(async () => ({ place: await maria.freshDatabase(), leave: async () => undefined }));
    served = await serve(...Array.from({ length: FINDINGS }, (_, at) => findingOf(`Claim ${at + 1}.`)));
  }, 60_000);
  afterAll(async () => {
    await served.close();
    await maria.stop(0);
  });

  test('the service says that it is away, goes on by itself, and every decision is there, once', async () => {
    const people = await Promise.all(['Ada', 'Ben', 'Cleo'].map((name) => served.signIn(name)));
    const acknowledged = new Set<number>();
    const seen = new Set<number>();
    const decided = people.map(async (person, part) => {
      for (let id = part + 1; id <= FINDINGS; id += people.length) await untilDecided(person, id, seen, acknowledged);
    });
    await until(() => acknowledged.size > FINDINGS / 4);
    await maria.pause({ kill: true });
    const before = new Set(acknowledged);
    await until(() => seen.has(503));
    await maria.startAgain();
    expect([...before].filter((id) => !acknowledged.has(id))).toEqual([]);
    expect(await keptOf([...before])).toEqual([...before].sort((a, b) => a - b));
    await Promise.all(decided);
    expect([...seen].sort()).toEqual([200, 503]);
    const rows = await served.db.selectFrom('decisions').select(['finding_id as id', 'decision']).execute();
    const wanted = Array.from({ length: FINDINGS }, (_, at) => ({ id: at + 1, decision: decisionOn(at + 1) }));
    expect(rows.sort((a, b) => a.id - b.id)).toEqual(wanted);
  }, 90_000);

  /** As a person does who is told that it does not work just now. */
  async function untilDecided({ headers }: SignedIn, id: number, seen: Set<number>, acknowledged: Set<number>) {
    const ask = async (path: string, body: object) => {
      const sent = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
      const response = await fetch(`${served.origin}/api/findings/${id}/${path}`, {
        ...sent,
        body: JSON.stringify(body),
      });
      await response.arrayBuffer();
      return response.status;
    };
    for (;;) {
      if (await isDecided(id)) return;
      const status = (await ask('lease', {})) === 200 ? await ask('decision', { decision: decisionOn(id) }) : 503;
      seen.add(status);
      if (status === 200) acknowledged.add(id);
      if (status === 200) return;
      await wait(50);
    }
  }

  /** What was decided as MariaDB went away may be there, though nobody was told. */
  async function isDecided(id: number): Promise<boolean> {
    return (await keptOf([id]).catch(() => [])).length > 0;
  }

  async function keptOf(ids: readonly number[]): Promise<number[]> {
    const rows = await served.db
      .selectFrom('decisions')
      .select('finding_id as id')
      .where('finding_id', 'in', ids)
      .execute();
    return rows.map(({ id }) => id).sort((a, b) => a - b);
  }
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(20);
}
