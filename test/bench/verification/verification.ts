/** The benchmark of verification: the engine beside others, whole claims, processes, memory. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadCrossEncoder, THREADS } from '../../../workers/verification/cross-encoder.ts';
import { openSession } from '../../../workers/verification/onnx.ts';
import { loadVerifier } from '../../../workers/verification/verifier.ts';
import { type Benchmark, type BenchOptions, line, type Measured, runParts, type Size } from '../benchmark.ts';
import { compareWithPeers } from './against-peers.ts';
import { watchMemory } from './memory.ts';
import { compareProcesses } from './processes.ts';
import { timeWholeClaims } from './whole-claim.ts';

/** Pairs of each length, and pairs over which memory is watched. */
const SCALE: Record<Size, { rounds: number; pairs: number; watched: number; spellMs: number }> = {
  tiny: { rounds: 1, pairs: 2, watched: 10, spellMs: 100 },
  quick: { rounds: 5, pairs: 32, watched: 1500, spellMs: 3000 },
  full: { rounds: 9, pairs: 32, watched: 5000, spellMs: 3000 },
};

export const verification: Benchmark = {
  name: 'verification',
  about: 'the cross-encoder beside PyTorch, onnxruntime in Python and transformers.js; whole claims, processes, memory',
  parts: ['peers', 'claims', 'processes', 'memory'],
  run(options) {
    const { modelsDir, python, parts } = options;
    const scale = SCALE[options.size];
    const rounds = options.rounds ?? scale.rounds;
    const measure = {
      peers: () => compareWithPeers(modelsDir, python, rounds, scale.pairs),
      claims: () => wholeClaims(modelsDir, rounds),
      processes: () => twoProcesses(rounds, scale.spellMs),
      memory: () => memory(options, scale.watched),
    };
    return runParts('verification', measure, parts);
  },
};

async function wholeClaims(modelsDir: string, rounds: number): Promise<Measured> {
  const session = await openSession(await readFile(join(modelsDir, 'cross-encoder', 'model.int8.onnx')), THREADS);
  const figures = await timeWholeClaims(await loadVerifier(modelsDir), session, rounds);
  const ratio = figures.whole_claim_to_models;
  const note = 'whole time of a claim beside a page of 6,000 words ÷ time within the models';
  return { figures, results: [line({ name: 'a claim, whole ÷ in models', ours: ratio, unit: '×', ratio, note })] };
}

async function twoProcesses(rounds: number, spellMs: number): Promise<Measured> {
  const rates = await compareProcesses({ counts: [1, 2], rounds: Math.min(rounds, 3), spellMs });
  const ratio = (rates.get(2) ?? Number.NaN) / (rates.get(1) ?? Number.NaN);
  const [ours, peer] = [rates.get(2) ?? Number.NaN, rates.get(1) ?? Number.NaN];
  const result = line({ name: 'two processes of one thread', ours, unit: 'pairs/s', peer, peerName: 'one', ratio });
  return { figures: { two_processes: ratio }, results: [result] };
}

async function memory({ modelsDir }: BenchOptions, pairs: number): Promise<Measured> {
  const figures = await watchMemory(await loadCrossEncoder(modelsDir), pairs);
  const ours = figures.memory_growth_mb;
  return { figures, results: [line({ name: 'memory gained', ours, unit: 'MB', note: `over ${pairs} pairs` })] };
}
