/** Records → a file of one JSON object a line in a folder that is removed after the tests. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder: string;
let files = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evaluation-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Texts are written as they are. */
export async function fileOf(records: readonly unknown[]): Promise<string> {
  files += 1;
  const path = join(folder, `${files}.jsonl`);
  await writeFile(
    path,
    records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record))).join('\n'),
  );
  return path;
}
