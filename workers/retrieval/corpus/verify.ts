/**
 * Whether a generation is what its manifest says, and whether both arms have what its corpus has. In: a manifest and the
 * generation's folder. Out: what is wrong, each with a code and one line for people. Mends nothing.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { RefuseToStart } from '../../../shared/errors.ts';
import type { Logger } from '../../../shared/logger.ts';
import { sqliteCode } from '../../../shared/sql/sqlite-errors.ts';
import { findDamage } from '../dense/snapshot.ts';
import { generationFolder } from './generations.ts';
import type { Manifest } from './manifest.ts';
import { type OpenGeneration, openGeneration } from './open-generation.ts';
import type { SparseEngine } from './sparse-engine.ts';
import { groupByShard } from './store-shards.ts';

export interface Problem {
  code: /** A file of the generation is not on this host. */
    | 'missing_file'
    /** A sealed file has another length or other bytes than the manifest says. */
    | 'damaged_file'
    /** A database that SQLite finds damaged. */
    | 'damaged_database'
    /** A database of another version of this program, or vectors that are not of the manifest's encoder. */
    | 'refused'
    /** Vectors of another encoder than the one that is installed. */
    | 'other_encoder'
    /** A page whose passages are not one after the other in its text, or that has none. */
    | 'missing_passage'
    /** A passage that the sparse arm has not. */
    | 'not_in_sparse'
    /** A passage that its dense shard has not. */
    | 'not_in_dense'
    /** An arm has more passages than the corpus. */
    | 'too_many'
    /** Shards of the corpus that the manifest does not name: no search asks them. */
    | 'unnamed_shard'
    /** Was not built to its end. */
    | 'not_ready';
  detail: string;
}

export interface VerifyOptions {
  manifest: Manifest;
  dataDir: string;
  engine: SparseEngine;
  /** Version of the encoder that is installed. */
  encoder: string;
  log: Logger;
}

/** [] for a generation that is as it should be. Throws what the engine throws while it is away. */
export async function verifyGeneration(options: VerifyOptions, signal: AbortSignal): Promise<Problem[]> {
  const { manifest, dataDir, encoder } = options;
  const folder = generationFolder(dataDir, manifest.generation);
  const problems = [...checkManifest(manifest, encoder), ...checkFiles(manifest, folder)];
  if (problems.some(({ code }) => code === 'missing_file')) return problems; // opening it would create the file
  const generation = openGeneration(options);
  try {
    const inCorpus = checkCorpus(generation);
    return [...problems, ...inCorpus, ...(await checkArms(generation, signal))];
  } catch (error) {
    return [...problems, toProblem(error)];
  } finally {
    await generation.close();
  }
}

/** Of a database that can't be opened or read. */
function toProblem(error: unknown): Problem {
  if (error instanceof RefuseToStart) return { code: 'refused', detail: error.message };
  const code = sqliteCode(error);
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return { code: 'damaged_database', detail: code };
  throw error;
}

function checkManifest({ state, encoder }: Manifest, installed: string): Problem[] {
  const problems: Problem[] = [];
  if (state !== 'ready') problems.push({ code: 'not_ready', detail: 'it was not built to its end' });
  if (encoder.version !== installed)
    problems.push({
      code: 'other_encoder',
      detail: `its vectors are of ${encoder.version}, installed is ${installed}`,
    });
  return problems;
}

function checkFiles({ sparse, shards }: Manifest, folder: string): Problem[] {
  const names = ['corpus.sqlite', ...shards.map(({ shard }) => `dense-${shard}.sqlite`)];
  if (sparse.engine === 'fts5') names.push(sparse.index);
  const missing = names.filter((name) => !existsSync(join(folder, name)));
  return [
    ...missing.map((name): Problem => ({ code: 'missing_file', detail: `${name} is not in ${folder}` })),
    ...shards.flatMap(({ sealed }): Problem[] => {
      const damage = sealed === null ? null : findDamage(folder, sealed);
      if (damage === null) return [];
      const detail = `${damage.file}: ${DAMAGE[damage.code]}`;
      return [{ code: damage.code === 'missing' ? 'missing_file' : 'damaged_file', detail }];
    }),
  ];
}

function checkCorpus({ corpus, manifest }: OpenGeneration): Problem[] {
  const { database } = corpus;
  const [found] = z.array(z.string()).parse(database.prepare('PRAGMA quick_check(1)').pluck().all());
  const damage: Problem[] = found === 'ok' ? [] : [{ code: 'damaged_database', detail: `corpus.sqlite: ${found}` }];
  const pages = z.array(Gap).parse(database.prepare(SELECT_GAPS).all());
  const named = new Set(manifest.shards.map(({ shard }) => shard));
  const unnamed = corpus.shards().filter(({ shard }) => !named.has(shard));
  return [
    ...damage,
    ...pages.map(({ url, has }): Problem => ({ code: 'missing_passage', detail: `${url} has ${has}` })),
    ...unnamed.map(
      ({ shard }): Problem => ({ code: 'unnamed_shard', detail: `shard ${shard} is not in the manifest` }),
    ),
  ];
}

/** Every passage is looked up in both arms. */
async function checkArms(generation: OpenGeneration, signal: AbortSignal): Promise<Problem[]> {
  const { corpus } = generation;
  const sparse = await generation.sparse();
  const lacking = { sparse: new Lacking(), dense: new Lacking() };
  const ranges = corpus.shards();
  const { passages } = corpus.size();
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    const ids = corpus.idsAfter(after, BATCH);
    const last = ids.at(-1);
    if (last === undefined) break;
    lacking.sparse.add(await sparse.missing(ids));
    for (const [shard, ofShard] of groupByShard(ids, ranges))
      lacking.dense.add(generation.dense(shard).missing(ofShard));
    after = last;
  }
  const vectors = ranges.reduce((sum, { shard }) => sum + generation.dense(shard).size, 0);
  return [
    ...lacking.sparse.problem('not_in_sparse', 'sparse arm'),
    ...lacking.dense.problem('not_in_dense', 'dense arm'),
    ...checkSurplus('sparse', (await sparse.count()) + lacking.sparse.count - passages),
    ...checkSurplus('dense', vectors + lacking.dense.count - passages),
  ];
}

function checkSurplus(arm: string, surplus: number): Problem[] {
  return surplus <= 0 ? [] : [{ code: 'too_many', detail: `the ${arm} arm has ${surplus} passages too many` }];
}

/** How many, and the first of them. */
class Lacking {
  count = 0;
  readonly #first: number[] = [];

  add(ids: readonly number[]): void {
    this.count += ids.length;
    this.#first.push(...ids.slice(0, Math.max(0, NAMED - this.#first.length)));
  }

  problem(code: Problem['code'], arm: string): Problem[] {
    if (this.count === 0) return [];
    const more = this.count > this.#first.length ? ', …' : '';
    return [{ code, detail: `${this.count} passages are not in the ${arm}: ${this.#first.join(', ')}${more}` }];
  }
}

const DAMAGE = {
  missing: 'is not there',
  wrong_size: 'is not as long as the manifest says',
  wrong_checksum: 'is not what the manifest says (SHA-256)',
};
const NAMED = 5;
const BATCH = 1000;
const Gap = z.object({ url: z.string(), has: z.string() });
/** Positions are 0, 1, 2, … */
const SELECT_GAPS = `
  SELECT url, count(passages.id) || ' passages, the last at place ' || coalesce(max(position) + 1, 0) AS has
  FROM pages LEFT JOIN passages ON passages.page = pages.id
  GROUP BY pages.id HAVING count(passages.id) = 0 OR max(position) + 1 <> count(passages.id) LIMIT 20`;
