/** Every benchmark of the project, in the order of the table. */
import type { Benchmark } from './benchmark.ts';
import { bot } from './bot/bot.ts';
import { gadget } from './gadget/gadget.ts';
import { growth } from './growth/growth.ts';
import { pipeline } from './pipeline/pipeline.ts';
import { queue } from './queue/queue.ts';
import { reasons } from './reasons/reasons.ts';
import { retrieval } from './retrieval/retrieval.ts';
import { review } from './review/review.ts';
import { simulation } from './simulation/simulation.ts';
import { verification } from './verification/verification.ts';

export const BENCHMARKS: readonly Benchmark[] = [
  ...[verification, retrieval, queue, bot, pipeline, review, gadget, growth, simulation, reasons],
];
