/** A claim beside a long page, from text to judgement, and how much of that time the cross-encoder's runs take. */
import type { InferenceSession } from 'onnxruntime-node';
import type { Verifier } from '../../../workers/verification/verifier.ts';
import { median, time } from '../numbers.ts';
import { claimText, pageOf } from './inputs.ts';

const PAGE_WORDS = 6000;

/** Median of whole time ÷ time within the model's runs. `session`: any, to find where all sessions' runs are to be timed. */
export async function timeWholeClaims(verifier: Verifier, session: InferenceSession, rounds: number) {
  const runs = timeRuns(session);
  const ratios: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const before = runs.ms;
    const whole = await time(() => verifier.verify(claimText(round + 1), [pageOf(round + 1, PAGE_WORDS)]));
    if (round >= 0) ratios.push(whole / (runs.ms - before));
  }
  runs.restore();
  return { whole_claim_to_model: median(ratios) };
}

function timeRuns(session: InferenceSession) {
  const prototype: Pick<InferenceSession, 'run'> = Object.getPrototypeOf(session);
  const plain = prototype.run;
  const runs = {
    ms: 0,
    restore() {
      prototype.run = plain;
    },
  };
  prototype.run = new Proxy(plain, {
    async apply(run, of: InferenceSession, given) {
      const start = performance.now();
      const outputs = await Reflect.apply(run, of, given);
      if (of.outputNames.includes('logits')) runs.ms += performance.now() - start;
      return outputs;
    },
  });
  return runs;
}
