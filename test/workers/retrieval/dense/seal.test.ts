import { appendFileSync, cpSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RefuseToStart } from '../../../../shared/errors.ts';
import { createLogger } from '../../../../shared/logger.ts';
import type { Shard } from '../../../../workers/retrieval/corpus/manifest.ts';
import { openFaissIndex } from '../../../../workers/retrieval/dense/faiss.ts';
import { sealShard } from '../../../../workers/retrieval/dense/seal.ts';
import { setSearchParameters } from '../../../../workers/retrieval/dense/search-parameters.ts';
import { chooseType, type ShardType } from '../../../../workers/retrieval/dense/shard-types.ts';

const root = mkdtempSync(join(tmpdir(), 'sidelight-'));
afterAll(() => rmSync(root, { recursive: true }));

const encoder = { version: 'a', dimensions: 64 };
const log = createLogger('silent', 'test');
const COUNT = 1500;
const everything = randomVectors(COUNT + 1);

describe.each<ShardType>(['flat', 'hnsw-sq8', 'ivf-pq'])('a sealed shard (%s)', (type) => {
  const whole = fill();
  const sealed = sealShard({ directory: whole, shard: 0, encoder, type, log });
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(root, 'shard-'));
    cpSync(whole, directory, { recursive: true });
  });

  test('finds nearly all of what an exact search finds', () => {
    const exact = open(fill(), null);
    const index = open(directory, sealed);
    const found = [0, 400, 800, 1200].flatMap((id) => {
      const wanted = exact.search(vectorOf(id), 20).map(({ passageId }) => passageId);
      const got = index.search(vectorOf(id), 20).map(({ passageId }) => passageId);
      return wanted.filter((passage) => got.includes(passage));
    });
    expect(found.length).toBeGreaterThanOrEqual(72);
    expect(index.search(vectorOf(700), 1)[0]?.passageId).toBe(700);
    index.close();
    exact.close();
  });

  test('finds what was added and forgets what was removed since, and its files stay as they are', () => {
    const index = open(directory, sealed);
    index.search(vectorOf(3), 1);
    index.add([COUNT], vectorOf(COUNT));
    index.remove([3]);
    expect(index.search(vectorOf(COUNT), 1)[0]?.passageId).toBe(COUNT);
    expect(index.search(vectorOf(3), 1)[0]?.passageId).not.toBe(3);
    index.close();
    const again = open(directory, sealed);
    expect(again.search(vectorOf(COUNT), 1)[0]?.passageId).toBe(COUNT);
    again.close();
  });

  test('sealed again has the same passages by the same ids', () => {
    const again = sealShard({ directory, shard: 0, encoder, type, log });
    expect(again.files[1]).toEqual(sealed.files[1]);
    const index = open(directory, again);
    expect(index.search(vectorOf(911), 1)[0]?.passageId).toBe(911);
    index.close();
  });

  test.each([
    ['truncated', (file: string) => truncateSync(file, 500)],
    ['longer than it was', (file: string) => appendFileSync(file, 'x')],
    ['of something else', (file: string) => writeFileSync(file, 'not a shard')],
    ['gone', (file: string) => rmSync(file)],
  ])('is refused when a file of it is %s', (_, damage) => {
    damage(join(directory, type === 'flat' ? 'dense-0.labels' : 'dense-0.faiss'));
    const index = open(directory, sealed);
    expect(() => index.search(vectorOf(1), 1)).toThrow(RefuseToStart);
    index.close();
  });

  test('is refused by another encoder', () => {
    const other = { ...encoder, version: 'b' };
    expect(() => openFaissIndex({ directory, shard: 0, encoder: other, sealed, log })).toThrow(RefuseToStart);
  });
});

test('the type follows the size: exact, then a graph, then compressed', () => {
  expect([1, 100_000, 100_001, 5_000_000, 5_000_001].map(chooseType)).toEqual([
    'flat',
    'flat',
    'hnsw-sq8',
    'hnsw-sq8',
    'ivf-pq',
  ]);
});

test('a written search width changes what is found', () => {
  const directory = fill();
  const sealed = sealShard({ directory, shard: 0, encoder, type: 'ivf-pq', log });
  const asked = 300;
  const found = (nprobe: number) => {
    setSearchParameters(join(directory, 'dense-0.faiss'), { nprobe });
    const index = open(directory, { ...sealed, files: sealed.files.slice(1) }); // the index was changed on purpose
    const hits = index.search(vectorOf(5), asked).length;
    index.close();
    return hits;
  };
  expect(found(1)).toBeLessThan(asked);
  expect(found(64)).toBe(asked);
});

test('search parameters are not written into an index of another kind', () => {
  const directory = fill();
  sealShard({ directory, shard: 0, encoder, type: 'flat', log });
  expect(() => setSearchParameters(join(directory, 'dense-0.faiss'), { efSearch: 64 })).toThrow(RangeError);
});

test('a shard without passages can not be sealed', () => {
  const directory = mkdtempSync(join(root, 'shard-'));
  openFaissIndex({ directory, shard: 0, encoder, sealed: null, log }).close();
  expect(() => sealShard({ directory, shard: 0, encoder, log })).toThrow(RangeError);
});

function fill(): string {
  const directory = mkdtempSync(join(root, 'shard-'));
  const index = open(directory, null);
  index.add(
    Array.from({ length: COUNT }, (_, id) => id),
    everything.subarray(0, COUNT * encoder.dimensions),
  );
  index.close();
  return directory;
}

function open(directory: string, sealed: Shard['sealed']) {
  return openFaissIndex({ directory, shard: 0, encoder, sealed, log });
}

function vectorOf(id: number): Float32Array {
  return everything.slice(id * encoder.dimensions, (id + 1) * encoder.dimensions);
}

/** n × 64, unit length, the same each time: around 30 centres, as texts are around topics. */
function randomVectors(count: number): Float32Array {
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  const centres = Array.from({ length: 30 }, () => Array.from({ length: encoder.dimensions }, random));
  const rows = Array.from({ length: count }, (_, id) => {
    const row = (centres[id % centres.length] ?? []).map((value) => value + random());
    const norm = Math.hypot(...row);
    return row.map((value) => value / norm);
  });
  return Float32Array.from(rows.flat());
}
