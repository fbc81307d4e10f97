/** peer.py: the same batches through PyTorch and through Python's onnxruntime. */
import { z } from 'zod';
import type { PairTokens } from '../../../workers/verification/pair-tokens.ts';
import { startPython } from '../python.ts';

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

const Answer = z.object({ ms: z.number().positive() });

/** Throws RefuseToStart where Python or its packages are missing. */
export async function startPeer({ python, sets, ...settings }: PeerSettings): Promise<Peer> {
  const peer = startPython(python, 'test/bench/verification/peer.py');
  const batches = Object.entries(sets).map(([name, list]) => [name, list.map(columns)]);
  await peer.ask({ ...settings, sets: Object.fromEntries(batches) });
  return {
    run: async (engine, set) => Answer.parse(await peer.ask({ engine, set })).ms,
    stop: peer.stop,
  };
}

function columns(rows: readonly PairTokens[]) {
  return { ids: rows.map(({ ids }) => ids), types: rows.map(({ types }) => types) };
}
