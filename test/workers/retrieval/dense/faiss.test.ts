import { appendFileSync, existsSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RefuseToStart } from '../../../../shared/errors.ts';
import { createLogger } from '../../../../shared/logger.ts';
import { Database } from '../../../../shared/sql/better-sqlite3.ts';
import { openFaissIndex } from '../../../../workers/retrieval/dense/faiss.ts';

const root = mkdtempSync(join(tmpdir(), 'sidelight-'));
afterAll(() => rmSync(root, { recursive: true }));

const DIMENSIONS = 8;

function open(directory: string, version = 'a') {
  return openFaissIndex({
    directory,
    shard: 0,
    encoder: { version, dimensions: DIMENSIONS },
    sealed: null,
    log: createLogger('silent', 'test'),
  });
}

function aDirectory(): string {
  return mkdtempSync(join(root, 'shard-'));
}

/** Unit vectors along the axes that `ids` name. */
function vectors(...ids: number[]): Float32Array {
  const rows = new Float32Array(ids.length * DIMENSIONS);
  for (const [row, id] of ids.entries()) rows[row * DIMENSIONS + (id % DIMENSIONS)] = 1;
  return rows;
}

function nearest(index: ReturnType<typeof open>, id: number): number | undefined {
  return index.search(vectors(id), 1)[0]?.passageId;
}

test('the nearest passage comes first, with its cosine', () => {
  const index = open(aDirectory());
  index.add([3, 5], vectors(3, 5));
  expect(index.search(vectors(5), 10)).toEqual([
    { passageId: 5, score: 1 },
    { passageId: 3, score: 0 },
  ]);
  index.close();
});

test('an empty shard finds nothing', () => {
  const index = open(aDirectory());
  expect(index.search(vectors(1), 10)).toEqual([]);
  index.close();
});

test('a passage added twice is held once', () => {
  const index = open(aDirectory());
  index.add([1, 2], vectors(1, 2));
  index.add([2, 3], vectors(2, 3));
  expect(index.size).toBe(3);
  expect(index.search(vectors(2), 10).map((hit) => hit.passageId)).toHaveLength(3);
  expect(index.missing([2, 3, 4])).toEqual([4]);
  index.close();
});

test('a removed passage is not found, and others still fill the answer', () => {
  const index = open(aDirectory());
  index.add([1, 2, 3, 9], vectors(1, 2, 3, 9));
  expect(
    index
      .search(vectors(1), 2)
      .map((hit) => hit.passageId)
      .sort(),
  ).toEqual([1, 9]);
  index.remove([1, 9]);
  expect(index.search(vectors(1), 2)).toHaveLength(2);
  index.add([17], vectors(17));
  expect(nearest(index, 1)).toBe(17);
  index.close();
});

test('ids survive a saved shard, and what was added after it was saved is found', () => {
  const directory = aDirectory();
  const first = open(directory);
  first.add([40, 12], vectors(40, 12));
  nearest(first, 4);
  first.save();
  first.add([7], vectors(7));
  first.close();
  expect(existsSync(join(directory, 'dense-0.faiss'))).toBe(true);
  const second = open(directory);
  expect([nearest(second, 40), nearest(second, 12), nearest(second, 7)]).toEqual([40, 12, 7]);
  second.close();
});

test('a shard that lost most of its passages is built again without them', () => {
  const directory = aDirectory();
  const first = open(directory);
  first.add([1, 2, 3, 4], vectors(1, 2, 3, 4));
  nearest(first, 1);
  first.save();
  first.remove([1, 2, 3]);
  first.close();
  const second = open(directory);
  expect(second.search(vectors(4), 10)).toEqual([{ passageId: 4, score: 1 }]);
  second.close();
});

test.each([
  ['truncated', (file: string) => truncateSync(file, 20)],
  ['longer than it was', (file: string) => appendFileSync(file, 'x')],
  ['of something else', (file: string) => writeFileSync(file, 'not a shard')],
  ['gone', (file: string) => rmSync(file)],
])('a shard file that is %s is built again', (_, damage) => {
  const directory = aDirectory();
  const first = open(directory);
  first.add([1, 2], vectors(1, 2));
  nearest(first, 1);
  first.close();
  damage(join(directory, 'dense-0.faiss'));
  const second = open(directory);
  expect([nearest(second, 1), nearest(second, 2)]).toEqual([1, 2]);
  second.close();
  const third = open(directory);
  expect(nearest(third, 2)).toBe(2);
  third.close();
});

test('vectors of another encoder are dropped, to be encoded again', () => {
  const directory = aDirectory();
  const first = open(directory, 'a');
  first.add([1, 2], vectors(1, 2));
  nearest(first, 1);
  first.close();
  const second = open(directory, 'b');
  expect(second.missing([1, 2])).toEqual([1, 2]);
  expect(second.search(vectors(1), 10)).toEqual([]);
  second.close();
});

test('two handles on one shard find and lose what the other adds and removes', () => {
  const directory = aDirectory();
  const [one, other] = [open(directory), open(directory)];
  one.add([1], vectors(1));
  expect(nearest(other, 1)).toBe(1);
  other.add([2], vectors(2));
  expect(nearest(one, 2)).toBe(2);
  one.remove([1]);
  expect(nearest(other, 1)).toBe(2);
  one.close();
  other.close();
  const third = open(directory);
  expect(third.search(vectors(2), 10)).toEqual([{ passageId: 2, score: 1 }]);
  third.close();
});

test('vectors that do not fit their ids are refused', () => {
  const index = open(aDirectory());
  expect(() => index.add([1, 2], vectors(1))).toThrow(RangeError);
  index.close();
});

test('a shard of a newer version is refused', () => {
  const directory = aDirectory();
  open(directory).close();
  const database = new Database(join(directory, 'dense-0.sqlite'));
  database.pragma('user_version = 99');
  database.close();
  expect(() => open(directory)).toThrow(RefuseToStart);
});
