/**
 * `sidelight evaluate fever` and `… feverous`: predictions against gold → the figures of the shared tasks; or claims with
 * candidate pages → a predictions file by the shipped engine.
 */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../../shared/config.ts';
import { RequestError } from '../../shared/errors.ts';
import { type PredictionLine, predictFever } from '../../workers/evaluation/fever/predictions.ts';
import { scoreFever } from '../../workers/evaluation/fever/score.ts';
import { predictFeverous } from '../../workers/evaluation/feverous/predictions.ts';
import { scoreFeverous } from '../../workers/evaluation/feverous/score.ts';
import { requireFile } from '../../workers/evaluation/jsonl.ts';
import { loadVerifier } from '../../workers/verification/verifier.ts';
import { print } from './print.ts';

export type FeverFormat = 'fever' | 'feverous';

/** Gold and predictions to score, or claims, pages and out to predict. */
export interface EvaluateFeverOptions {
  gold?: string;
  predictions?: string;
  claims?: string;
  pages?: string[];
  out?: string;
  json: boolean;
}

export async function evaluateFever(config: Config, format: FeverFormat, options: EvaluateFeverOptions): Promise<void> {
  const { gold, predictions, claims, pages, out, json } = options;
  if (claims !== undefined && pages !== undefined && out !== undefined) {
    const n = await predictTo(out, config, format, { claims, pages });
    print(json ? { n, out } : `${n} predictions in ${out}`);
  } else if (gold !== undefined && predictions !== undefined) {
    const { score, ...rest } = await FORMATS[format].score({ gold, predictions });
    const figures = { ...rest, [`${format}_score`]: score };
    const lines = Object.entries(figures).map(([name, value]) => `${name.padEnd(20)} ${Number(value.toFixed(4))}`);
    print(json ? figures : lines.join('\n'));
  } else {
    const message = 'give --gold and --predictions to score, or --claims, --pages and --out to predict';
    throw new RequestError('no_input', message);
  }
}

const FORMATS = {
  fever: { score: scoreFever, predict: predictFever },
  feverous: { score: scoreFeverous, predict: predictFeverous },
};

async function predictTo(
  out: string,
  config: Config,
  format: FeverFormat,
  files: { claims: string; pages: string[] },
): Promise<number> {
  for (const path of [files.claims, ...files.pages]) await requireFile(path);
  const verifier = await loadVerifier(config.modelsDir);
  const lines = FORMATS[format].predict({ ...files, judge: (claim, pages) => verifier.verify(claim, pages) });
  let n = 0;
  async function* written(): AsyncGenerator<string> {
    for await (const line of lines) {
      n += 1;
      yield `${JSON.stringify(line satisfies PredictionLine)}\n`;
    }
  }
  await pipeline(Readable.from(written()), createWriteStream(out));
  return n;
}
