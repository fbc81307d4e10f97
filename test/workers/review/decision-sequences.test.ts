import fc from 'fast-check';
import type { Finding } from '../../../shared/citation.ts';
import { createDecisions, type Decisions } from '../../../workers/review/decisions.ts';
import type { Person } from '../../../workers/review/leases.ts';
import { positionOf } from '../../../workers/review/position.ts';
import { aFinding } from '../../support/examples.ts';
import { aPerson, findingOf, openStore, type Store } from './store.ts';

const LEASE_MS = 600_000;
const PEOPLE = ['Ada', 'Ben', 'Cleo'];
let store: Store;
let people: Person[];
let pages = 100;
beforeAll(async () => {
  store = await openStore();
  people = await Promise.all(PEOPLE.map((name) => aPerson(store.db, name)));
});
afterAll(() => store.close());

const who = fc.nat(PEOPLE.length - 1);
const which = fc.nat(1);
/** Whether it is asked by who may, where there is such a person: else most sequences are of refusals. */
const rightly = fc.boolean();
const Step = fc.oneof(
  fc.record({ do: fc.constant('take' as const), who, which }),
  fc.record({ do: fc.constant('release' as const), who, which }),
  fc.record({
    do: fc.constant('decide' as const),
    who,
    which,
    rightly,
    decision: fc.constantFrom('accept', 'reject', 'skip', 'cant_tell'),
  }),
  fc.record({ do: fc.constant('undo' as const), who, which, rightly }),
  fc.record({ do: fc.constant('expire' as const) }),
  fc.record({
    do: fc.constant('record' as const),
    which,
    verdict: fc.constantFrom('not_supported', 'contradicted', 'supported'),
    text: fc.constantFrom('a', 'b', 'c'),
  }),
);
type Step = typeof Step extends fc.Arbitrary<infer T> ? T : never;

test('whatever three people do: one holder a finding, no decision without a lease, and undo leads back exactly', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(Step, { minLength: 1, maxLength: 40 }), async (steps) => {
      const run = await begin();
      for (const step of steps) await run.act(step);
    }),
    { numRuns: 60 },
  );
}, 60_000);

/** Two new findings, and a clock of their own. */
async function begin() {
  let now = Date.now();
  pages += 1;
  const page = { id: pages, title: `Page ${pages}` };
  const decisions = createDecisions(store.db, { leaseMs: LEASE_MS, now: () => now });
  const findings = [{ ...aFinding, page }, findingOf('The quay is of granite.', { page })];
  for (const finding of findings) await store.findings.record(finding);
  const ids = (await store.db.selectFrom('findings').select('id').where('page_id', '=', page.id).execute()).map(
    ({ id }) => id,
  );
  const before = new Map<number, Known>();
  const sceneOf = async (id = 0, step: Step): Promise<Scene> => {
    const holdersNow = () => holdersOf(id, now);
    const [was, standing, holders] = [await look(id), await standingOf(id), await holdersNow()];
    const rightful = step.do === 'decide' ? holders[0] : step.do === 'undo' ? was.decided_by : null;
    const asks = 'rightly' in step && step.rightly ? rightful : null;
    const chosen = people.find((one) => one.id === asks) ?? people['who' in step ? step.who : 0];
    const person = chosen ?? { id: 0, name: '' };
    return { decisions, id, person, before, was, standing, holders, holdersNow };
  };
  const act = async (step: Step): Promise<void> => {
    if (step.do === 'expire') now += LEASE_MS;
    else if (step.do === 'record') await store.findings.record(judged(findings[step.which], step));
    else await plays[step.do](await sceneOf(ids[step.which], step), step);
  };
  return { act };
}

interface Scene {
  decisions: Decisions;
  id: number;
  person: Person;
  /** How the finding was before each decision, by the decision's id. */
  before: Map<number, Known>;
  was: Known;
  /** Ids of the decisions that were not undone. */
  standing: readonly number[];
  holders: readonly number[];
  holdersNow: () => Promise<number[]>;
}

const plays = {
  async take({ decisions, id, person, was, holders, holdersNow }: Scene) {
    const done = await attempt(decisions.take(id, person));
    expect(done).toBe(was.state === 'open' && holders.every((holder) => holder === person.id));
    expect(await holdersNow()).toEqual(done ? [person.id] : holders);
  },
  async release({ decisions, id, person, holders, holdersNow }: Scene) {
    await decisions.release(id, person);
    expect(await holdersNow()).toEqual(holders.filter((holder) => holder !== person.id));
  },
  async decide(scene: Scene, step: Step) {
    const { decisions, id, person, before, was, standing, holders, holdersNow } = scene;
    const decision = step.do === 'decide' ? step.decision : 'skip';
    await attempt(decisions.decide(id, { decision }, person));
    const made = (await standingOf(id)).filter((known) => !standing.includes(known));
    expect(made).toHaveLength(was.state === 'open' && holders[0] === person.id ? 1 : 0);
    for (const one of made) before.set(one, was);
    if (made.length === 0) expect(await look(id)).toEqual(was);
    else expect(await holdersNow()).toEqual([]);
  },
  async undo({ decisions, id, person, before, was, standing }: Scene) {
    const last = standing.at(-1) ?? 0;
    const done = await attempt(decisions.undo(id, person));
    expect(await standingOf(id)).toEqual(done ? standing.slice(0, -1) : standing);
    const known = done ? before.get(last) : was;
    if (known === undefined) throw new Error('undone, and never decided');
    // judged anew since: then it has the place of that judgement
    const position = positionOf(was.finding, known.deferrals);
    expect(await look(id)).toEqual({ ...known, position, finding: was.finding });
  },
};

type Known = Awaited<ReturnType<typeof look>>;

async function look(id: number) {
  const row = await store.db
    .selectFrom('findings')
    .select([
      'state',
      'closed_because',
      'decision',
      'decided_by',
      'reopened_because',
      'deferrals',
      'position',
      'finding',
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { ...row, finding: JSON.parse(row.finding) as Finding }; // as record wrote it
}

function holdersOf(id: number, now: number): Promise<number[]> {
  const leases = store.db.selectFrom('leases').select('user_id').where('finding_id', '=', id);
  return leases
    .where('expires_at', '>', now)
    .execute()
    .then((rows) => rows.map((row) => row.user_id));
}

async function standingOf(id: number): Promise<number[]> {
  const decisions = store.db.selectFrom('decisions').select('id').where('finding_id', '=', id);
  return (await decisions.where('undone_at', 'is', null).orderBy('id').execute()).map((row) => row.id);
}

/** The finding as judged anew, on a text that may be another. */
function judged(finding: Finding | undefined, { verdict, text }: Extract<Step, { do: 'record' }>): Finding {
  const evidence = {
    quote: `It says ${text}.`,
    url: 'https://orrin.example/mill',
    title: 'The mill',
    start: 0,
    end: 10,
  };
  const citations = (finding ?? aFinding).citations.map((one) => ({ ...one, contentHash: text.repeat(16) }));
  return { ...(finding ?? aFinding), verdict, citations, evidence: { ...evidence, passage: evidence.quote } };
}

/** Whether it was done; a refusal is none of its failures. */
async function attempt(doing: Promise<unknown>): Promise<boolean> {
  return doing.then(
    () => true,
    (error: unknown) => {
      expect(error).toHaveProperty('name', 'RequestError');
      return false;
    },
  );
}
