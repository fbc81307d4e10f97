/** A claim beside a long page, from text to judgement, and how much of that time the models' runs take. */
import type { InferenceSession } from 'onnxruntime-node';
import type { Verifier } from '../../../workers/verification/verifier.ts';
import { median, time } from '../numbers.ts';
import { claimText, pageOf } from './inputs.ts';

const PAGE_WORDS = 6000;

/**
 * Medians of whole time ÷ time within the cross-encoder's runs, and ÷ time within those of both models. `session`: any, to
 * find where all sessions' runs are to be timed.
 */
export async function timeWholeClaims(verifier: Verifier, session: InferenceSession, rounds: number) {
  const runs = timeRuns(session);
  const toModel: number[] = [];
  const toModels: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const before = { ...runs };
    const whole = await time(() => verifier.verify(claimText(round + 1), [pageOf(round + 1, PAGE_WORDS)]));
    if (round < 0) continue;
    toModel.push(whole / (runs.crossEncoder - before.crossEncoder));
    toModels.push(whole / (runs.all - before.all));
  }
  runs.restore();
  return { whole_claim_to_model: median(toModel), whole_claim_to_models: median(toModels) };
}

function timeRuns(session: InferenceSession) {
  const prototype: Pick<InferenceSession, 'run'> = Object.getPrototypeOf(session);
  const plain = prototype.run;
  const runs = {
    crossEncoder: 0,
    all: 0,
    restore() {
      prototype.run = plain;
    },
  };
  prototype.run = new Proxy(plain, {
    async apply(run, of: InferenceSession, given) {
      const start = performance.now();
      const outputs = await Reflect.apply(run, of, given);
      const ms = performance.now() - start;
      runs.all += ms;
      if (of.outputNames.includes('logits')) runs.crossEncoder += ms;
      return outputs;
    },
  });
  return runs;
}
