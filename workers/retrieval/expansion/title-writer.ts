/**
 * A claim in its article → likely titles of the page that it cites, by a small seq2seq model that makes or copies word pieces
 * (workers/models/training/expansion_model.py). Looks nothing up.
 */
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { z } from 'zod';
import type { Claim } from '../../../shared/citation.ts';
import { ModelFailure, RefuseToStart } from '../../../shared/errors.ts';
import { openModel } from '../../models/manifest.ts';
import { openSession } from '../../verification/onnx.ts';
import { type Step, searchBeam } from './beam.ts';
import { createRules, type Rules } from './whole-words.ts';

export type ClaimInArticle = Pick<Claim, 'text' | 'title' | 'section' | 'context'>;

export interface Title {
  text: string;
  /** Its share of the probability of all titles that were written. */
  share: number;
}

export interface TitleWriter {
  version: string;
  /** At most `beam`, likeliest first. Throws ModelFailure for a model that gives no usable numbers. */
  write(claim: ClaimInArticle, beam: number): Promise<Title[]>;
}

const Manifest = z.object({
  name: z.string(),
  version: z.string().min(1),
  /** Word pieces kept of each part of what is read. */
  parts: z.object({ title: z.int(), section: z.int(), claim: z.int(), context: z.int() }),
  /** Word pieces of a title at most. */
  maxTitle: z.int().positive(),
  probe: z.object({
    claim: z.object({ title: z.string(), section: z.string(), claim: z.string(), context: z.string() }),
    ids: z.array(z.int()).min(5),
  }),
});
type Manifest = z.infer<typeof Manifest>;

/** From `<modelsDir>/expansion`. Throws RefuseToStart where files are missing, damaged, or don't belong together. */
export async function loadTitleWriter(modelsDir: string): Promise<TitleWriter> {
  const { manifest, read } = await openModel(join(modelsDir, 'expansion'), Manifest);
  const tokenizer = new Tokenizer(JSON.parse((await read('tokenizer.json')).toString('utf8')), {});
  const encoder = await openSession(await read('encoder.int8.onnx'), THREADS);
  const decoder = await openSession(await read('decoder.int8.onnx'), THREADS);
  checkProbe(modelsDir, tokenizer, manifest);
  return {
    version: manifest.version,
    async write(claim, beam) {
      const ids = toPieces(tokenizer, claim, manifest);
      const source = toTensor([ids]);
      const { memory } = await run(encoder, { input_ids: source });
      if (memory === undefined) throw new ModelFailure('wrong_shape');
      const rules = createRules(ids, (id) => tokenizer.id_to_token(id)?.startsWith('##') ?? false);
      const step = keepTo(rules, createStep(decoder, memory, source));
      const found = await searchBeam(step, { start: START, end: END, most: manifest.maxTitle, beam });
      const whole = found.reduce((sum, { logChance }) => sum + Math.exp(logChance), 0);
      return found.map(({ ids, logChance }) => ({
        text: ids.length === 0 ? '' : tokenizer.decode(ids, { skip_special_tokens: true }),
        share: Math.exp(logChance) / whole,
      }));
    },
  };
}

/** [CLS] title [SEP] section [SEP] claim [SEP] context [SEP], as `source_ids` of the training writes it. */
function toPieces(tokenizer: Tokenizer, claim: ClaimInArticle, { parts }: Pick<Manifest, 'parts'>): number[] {
  const section = claim.section.join(' ');
  const first = (text: string, most: number) => pieces(tokenizer, text.slice(0, most * LONGEST)).slice(0, most);
  const last = (text: string, most: number) => pieces(tokenizer, text.slice(-most * LONGEST)).slice(-most);
  return [
    ...[START, ...first(claim.title, parts.title), END],
    ...[...first(section, parts.section), END],
    ...[...first(claim.text, parts.claim), END],
    ...[...last(claim.context, parts.context), END],
  ];
}

function pieces(tokenizer: Tokenizer, text: string): number[] {
  return text === '' ? [] : tokenizer.encode(text, { add_special_tokens: false }).ids;
}

function createStep(decoder: InferenceSession, memory: Tensor, source: Tensor): Step {
  return async (sequences) => {
    const fed = { memory, input_ids: source, title_ids: toTensor(sequences) };
    const { pieces: ids, chances } = await run(decoder, fed);
    if (!(ids?.data instanceof BigInt64Array) || !(chances?.data instanceof Float32Array)) {
      throw new ModelFailure('wrong_shape');
    }
    if (!chances.data.every(Number.isFinite)) throw new ModelFailure('not_finite');
    const width = chances.data.length / sequences.length;
    const found = Array.from(chances.data, (chance, at) => ({ id: Number(ids.data[at]), chance }));
    return sequences.map((_, row) => found.slice(row * width, (row + 1) * width));
  };
}

/** A title of which nothing that was offered may go on ends there. */
function keepTo({ mayFollow }: Rules, step: Step): Step {
  return async (sequences) => {
    const offered = await step(sequences);
    return offered.map((next, at) => {
      const kept = next.filter(({ id }) => mayFollow(sequences[at]?.slice(1) ?? [], id));
      return kept.length > 0 ? kept : next.slice(0, 1).map(({ chance }) => ({ id: END, chance }));
    });
  };
}

function run(session: InferenceSession, feeds: Record<string, Tensor>): Promise<InferenceSession.ReturnType> {
  return session.run(feeds).catch((cause: unknown) => {
    throw new ModelFailure('run_failed', { cause });
  });
}

/** Rows of one length. */
function toTensor(rows: number[][]): Tensor {
  return new Tensor('int64', BigInt64Array.from(rows.flat(), BigInt), [rows.length, rows[0]?.length ?? 0]);
}

/** What the files' sums can't tell: that the tokenizer is the model's. */
function checkProbe(modelsDir: string, tokenizer: Tokenizer, manifest: Manifest): void {
  const { claim, ids } = manifest.probe;
  const asked = { text: claim.claim, title: claim.title, section: [claim.section], context: claim.context };
  if (toPieces(tokenizer, asked, manifest).join() === ids.join()) return;
  throw new RefuseToStart(
    `${modelsDir}/expansion/tokenizer.json is not the model's: the probe of manifest.json has other pieces.`,
  );
}

/** [CLS] and [SEP] of BERT's vocabulary. */
const START = 101;
const END = 102;
/** Characters of a word piece on average, and more: the rest of an endless text would be cut off anyway. */
const LONGEST = 20;
const THREADS = 1;
