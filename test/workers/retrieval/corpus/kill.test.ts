import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repositoryRoot } from '../../../../shared/root.ts';
import { buildGeneration } from '../../../../workers/retrieval/corpus/build.ts';
import { openTally } from '../../../../workers/retrieval/corpus/build-tally.ts';
import { openGeneration } from '../../../../workers/retrieval/corpus/open-generation.ts';
import { isleInput } from './isle.ts';
import { wordEncoder } from './word-encoder.ts';
import { openWorkshop, type Workshop } from './workshop.ts';

const PROCESS = join(repositoryRoot(), '.build/test/workers/retrieval/corpus/build-process.js');
/** After how many reports of its progress each run is killed: while it reads, on the way to the arms, and in them. */
const KILLED_AFTER = [1, 2, 4];

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.remove());

test('a build that is killed again and again gives what an undisturbed one gives', async () => {
  const file = workshop.jsonl('isle.jsonl', []);
  const [disturbed, undisturbed] = [join(workshop.directory, 'a'), join(workshop.directory, 'b')];
  for (const directory of [disturbed, undisturbed]) mkdirSync(directory);
  for (const reports of KILLED_AFTER) await killAfter(reports, [disturbed, file]);
  await build(disturbed, file);
  await build(undisturbed, file);
  const [left, right] = [await read(disturbed), await read(undisturbed)];
  expect(left).toEqual(right);
  expect(left.passages.length).toBeGreaterThan(500);
  expect(left.missing).toEqual([0, 0]);
  expect(left.leftOut).toMatchObject({ broken: { count: 10 }, duplicates: { content: 0, near: 0 } });
}, 120_000);

/** Kills a build at some moment after so many reports. */
async function killAfter(reports: number, given: string[]): Promise<void> {
  const child = fork(PROCESS, given);
  let heard = 0;
  child.on('message', () => {
    heard += 1;
    if (heard === reports) void sleep(Math.random() * 20).then(() => child.kill('SIGKILL'));
  });
  const [code] = await once(child, 'exit');
  if (code !== null && code !== 0) throw new Error(`the build failed with ${code}`);
}

async function build(directory: string, file: string): Promise<void> {
  const options = { generation: 'isle', inputs: [isleInput(file)], shards: 2 };
  await buildGeneration(openWorkshop(directory).dependencies, options, new AbortController().signal).catch((error) => {
    if (error.code !== 'is_built') throw error; // the last kill came too late
  });
}

async function read(directory: string) {
  const { dependencies } = openWorkshop(directory);
  const manifest = await dependencies.engine.generations.get('isle');
  if (manifest === null) throw new Error('nothing was built');
  const opened = openGeneration({ ...dependencies, manifest });
  const { corpus } = opened;
  const ids = corpus.idsAfter(0, 10_000);
  const query = await wordEncoder.encode(['Keeper217 rowed the boat to the island5']);
  const sparse = await opened.sparse();
  const lacking = corpus.shards().reduce((left, { shard }) => opened.dense(shard).missing(left), ids);
  const found = {
    ...{ manifest: { ...manifest, createdAt: '' }, ranges: corpus.shards(), passages: corpus.passages(ids) },
    leftOut: openTally(corpus.database).read(),
    missing: [(await sparse.missing(ids)).length, lacking.length],
    sparse: await sparse.search([{ word: 'keeper217', weight: 1 }], 5),
    dense: manifest.shards.map(({ shard }) => opened.dense(shard).search(query, 5)),
  };
  await opened.close();
  return found;
}
