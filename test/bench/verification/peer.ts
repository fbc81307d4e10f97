/** The engines of others on the same pairs: PyTorch and onnxruntime by peer.py, transformers.js by transformers-js.ts. */
import { z } from 'zod';
import { RefuseToStart } from '../../../shared/errors.ts';
import type { Pair, PairTokens } from '../../../workers/verification/pair-tokens.ts';
import { PYTHON_REMEDY, startPeerProcess, startPython } from '../peer-process.ts';

/** Runs a set by its name, and tells milliseconds. Or why the engine is not there. */
export type Peer = { run(set: string): Promise<number> } | { missing: string };

export interface Peers {
  pytorch: Peer;
  onnxruntime: Peer;
  transformersJs: Peer;
  stop(): void;
}

export interface PeerSettings {
  python: string;
  /** Folder of the cross-encoder. */
  folder: string;
  threads: number;
  sets: readonly PeerSet[];
}

export interface PeerSet {
  name: string;
  /** What the tokenised engines get: the rows of a batch are of one length. */
  batches: readonly (readonly PairTokens[])[];
  /** What is tokenised by the engine itself, as many a batch. */
  pairs: readonly Pair[];
  rows: number;
}

const Answer = z.object({ ms: z.number().positive() });
const Ready = z.object({ missing: z.record(z.string(), z.string()) });

export async function startPeers(settings: PeerSettings): Promise<Peers> {
  const [python, node] = [await startPythonEngines(settings), await startTransformers(settings)];
  return {
    pytorch: python.engine('pytorch'),
    onnxruntime: python.engine('onnxruntime'),
    transformersJs: node.engine,
    stop() {
      python.stop();
      node.stop();
    },
  };
}

async function startPythonEngines({ python, folder, threads, sets }: PeerSettings) {
  const peer = startPython(python, 'test/bench/verification/peer.py');
  const batches = sets.map((set) => [set.name, set.batches.map(columns)]);
  const asked = { threads, model: `${folder}/model.int8.onnx`, sets: Object.fromEntries(batches) };
  const ready = await peer.ask(asked).then((answer) => Ready.parse(answer), refusal);
  return {
    engine(engine: 'pytorch' | 'onnxruntime'): Peer {
      if (typeof ready === 'string') return { missing: ready };
      const missing = ready.missing[engine];
      if (missing !== undefined) return { missing: `peer not installed (${missing}): ${PYTHON_REMEDY}.` };
      return { run: async (set) => Answer.parse(await peer.ask({ engine, set })).ms };
    },
    stop: peer.stop,
  };
}

async function startTransformers({ folder, threads, sets }: PeerSettings) {
  const peer = startPeerProcess([process.execPath, process.argv[1] ?? '', 'transformers-js'], TRANSFORMERS_REMEDY);
  const given = sets.map(({ name, pairs, rows }) => ({ name, pairs, rows }));
  const ready = await peer.ask({ folder, threads, sets: given }).then(() => null, refusal);
  const engine: Peer =
    ready === null ? { run: async (set) => Answer.parse(await peer.ask({ set })).ms } : { missing: ready };
  return { engine, stop: peer.stop };
}

const TRANSFORMERS_REMEDY = '`npm install --ignore-scripts --prefix .sidelight/bench @huggingface/transformers@4`';

function refusal(error: unknown): string {
  if (error instanceof RefuseToStart) return error.message;
  throw error;
}

function columns(rows: readonly PairTokens[]) {
  return { ids: rows.map(({ ids }) => ids), types: rows.map(({ types }) => types) };
}
