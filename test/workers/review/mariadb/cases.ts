/** The tests of another file, to be run once more inside a `describe` of ours. In: what loads that file. Out: what declares its tests. */

const VERBS = ['describe', 'test', 'it', 'beforeAll', 'beforeEach', 'afterEach', 'afterAll'] as const;
type Call = (...values: unknown[]) => unknown;
type Verb = Call & { each?: (...table: unknown[]) => Call; skip?: Call };

/** `without`: names of blocks that are left out, e.g. because they need more than a database. */
export async function casesOf(load: () => Promise<unknown>, without: readonly string[] = []): Promise<() => void> {
  const calls: (() => void)[] = [];
  // what jest puts into every test file
  const scope = globalThis as unknown as Record<string, Verb>;
  const real = Object.fromEntries(VERBS.map((name) => [name, scope[name]])) as Record<string, Verb>;
  const keep = (verb: Call): Call => {
    return (...values) => {
      if (!without.includes(String(values[0]))) calls.push(() => verb(...values));
    };
  };
  for (const [name, verb] of Object.entries(real)) {
    const each = (...table: unknown[]) => keep((...values) => verb.each?.(...table)(...values));
    scope[name] = Object.assign(keep(verb), { each, skip: keep((...values) => verb.skip?.(...values)) });
  }
  try {
    await load();
  } finally {
    Object.assign(scope, real);
  }
  return () => {
    for (const call of calls) call();
  };
}
