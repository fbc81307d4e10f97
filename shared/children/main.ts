/**
 * What a child of `children.ts` runs: the default export of the module that is named on its command line, on one task after the other.
 * In: messages of its parent. Out: answers, and what the child has used. It ends with its parent.
 */

export type Question = { task: unknown; context?: Uint8Array };
export type Reply =
  | { kind: 'ready' }
  | { kind: 'answer'; answer: unknown; used: Used }
  | { kind: 'error'; error: unknown; used: Used };

export interface Used {
  /** Of processor time since the child began. */
  cpuMs: number;
  /** Of memory, now. */
  residentBytes: number;
}

type Work = (task: unknown, context: Uint8Array | undefined) => unknown;

const [module = ''] = process.argv.slice(2);
// who stops a whole group of processes waits for the parent, which still needs the answers
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
const forbids = process.execArgv.includes('--disallow-code-generation-from-strings');
if (!forbids) forbidFunctions();
const { default: work } = (await import(module)) as { default: Work }; // the parent knows what it names
if (!forbids) globalThis.eval = refuse; // the loader needed it (child.ts)
process.on('message', async (question: Question) => reply(await answer(question)));
reply({ kind: 'ready' });

async function answer({ task, context }: Question): Promise<Reply> {
  try {
    return { kind: 'answer', answer: await work(task, context), used: used() };
  } catch (error) {
    return { kind: 'error', error, used: used() };
  }
}

/** As V8's flag does, before anything is loaded: zod asks then whether it may compile, and fails later where that changed. */
function forbidFunctions(): void {
  refuse.prototype = Function.prototype; // `instanceof Function` goes on
  const kinds = [() => undefined, async () => undefined, function* () {}, async function* () {}];
  for (const kind of kinds) Object.defineProperty(Object.getPrototypeOf(kind), 'constructor', { value: refuse });
  Object.assign(globalThis, { Function: refuse });
}

function refuse(): never {
  throw new EvalError('no text becomes a program here');
}

function used(): Used {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, residentBytes: process.memoryUsage.rss() };
}

function reply(message: Reply): void {
  process.send?.(message);
}
