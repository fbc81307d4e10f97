/** peer.py as a process: the same batches through PyTorch and through Python's onnxruntime. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { RefuseToStart } from '../../../shared/errors.ts';
import type { PairTokens } from '../../../workers/verification/pair-tokens.ts';

export interface PeerSettings {
  python: string;
  /** Path of the ONNX model. */
  model: string;
  threads: number;
  /** Name → batches; the rows of a batch are of one length. */
  sets: Record<string, readonly (readonly PairTokens[])[]>;
}

export type Engine = 'pytorch' | 'onnxruntime';

export interface Peer {
  /** Milliseconds for all batches of a set. */
  run(engine: Engine, set: string): Promise<number>;
  stop(): void;
}

const Answer = z.union([z.object({ ready: z.literal(true) }), z.object({ ms: z.number().positive() })]);

/** Throws RefuseToStart where Python or its packages are missing. */
export async function startPeer({ python, sets, ...settings }: PeerSettings): Promise<Peer> {
  const child = spawn(python, ['test/bench/verification/peer.py'], { stdio: ['pipe', 'pipe', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (text) => {
    complaint += text;
  });
  // the answer that doesn't come says it
  child.stdin.on('error', () => {});
  child.on('error', (error) => {
    complaint = error.message;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (question: object) => {
    child.stdin.write(`${JSON.stringify(question)}\n`);
    const { value, done } = await lines.next();
    if (done !== true) return Answer.parse(JSON.parse(value));
    if (child.exitCode === null && child.pid !== undefined) await once(child, 'close');
    const reason = complaint.trim().split('\n').at(-1);
    throw new RefuseToStart(
      `${python} can't run the peer (${reason}): \`pip install -r workers/models/training/requirements.txt\`, or set PYTHON.`,
    );
  };
  const batches = Object.entries(sets).map(([name, list]) => [name, list.map(columns)]);
  await ask({ ...settings, sets: Object.fromEntries(batches) });
  return {
    async run(engine, set) {
      const answer = await ask({ engine, set });
      return 'ms' in answer ? answer.ms : Number.NaN;
    },
    stop: () => child.stdin.end(),
  };
}

function columns(rows: readonly PairTokens[]) {
  return { ids: rows.map(({ ids }) => ids), types: rows.map(({ types }) => types) };
}
