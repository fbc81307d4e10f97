import { cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RefuseToStart } from '../../../shared/errors.ts';
import { loadEncoder } from '../../../workers/verification/encoder.ts';
import { loadVerifier } from '../../../workers/verification/verifier.ts';

let models: string;
beforeEach(async () => {
  models = await mkdtemp(join(tmpdir(), 'models-'));
  await cp('workers/models/encoder', join(models, 'encoder'), { recursive: true });
  await cp('workers/models/cross-encoder', join(models, 'cross-encoder'), { recursive: true });
  await cp('workers/models/verifier', join(models, 'verifier'), { recursive: true });
});
afterEach(() => rm(models, { recursive: true }));

async function refusal(loading: Promise<unknown>): Promise<string> {
  const error: unknown = await loading.catch((reason) => reason);
  expect(error).toBeInstanceOf(RefuseToStart);
  return String(error);
}

test('a missing model is refused in one line that says what to do', async () => {
  await rm(join(models, 'encoder', 'model.int8.onnx'));
  const message = await refusal(loadEncoder(models));
  expect(message).toContain('model.int8.onnx');
  expect(message).toContain('MODELS_DIR');
  expect(message).not.toContain('\n');
});

test('a model that was cut off is refused', async () => {
  await truncate(join(models, 'encoder', 'model.int8.onnx'), 1_000_000);
  expect(await refusal(loadEncoder(models))).toContain('damaged');
});

test('a folder without models is refused', async () => {
  expect(await refusal(loadEncoder(join(models, 'nowhere')))).toContain('manifest.json');
});

test('a manifest that lacks a field is refused by its name', async () => {
  await writeFile(join(models, 'encoder', 'manifest.json'), '{"name":"x","files":{}}');
  expect(await refusal(loadEncoder(models))).toContain('version');
});

test('weights that are no JSON, or of another model, are refused', async () => {
  const path = join(models, 'verifier', 'weights.json');
  const weights = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify({ ...weights, crossEncoder: 'other' }));
  expect(await refusal(loadVerifier(models))).toContain('other');
  await writeFile(path, '{"version":');
  expect(await refusal(loadVerifier(models))).toContain('weights.json');
});
