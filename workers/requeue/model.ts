/** Which version of the model judges now, without loading it. */
import { join } from 'node:path';
import { z } from 'zod';
import { readModelJson } from '../models/manifest.ts';

/** As every finding has it in `model`. Throws RefuseToStart for missing or damaged weights. */
export async function currentModel(modelsDir: string): Promise<string> {
  const { version } = await readModelJson(join(modelsDir, 'verifier', 'weights.json'), Weights);
  return version;
}

const Weights = z.object({ version: z.string().min(1) });
