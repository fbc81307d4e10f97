/**
 * The generations of the corpus and the pointer to the one that is searched. In and out: manifests. Here as files of
 * `<dataDir>/corpus`; elasticsearch-generations.ts has them where any host can read them. What is in a generation is opened elsewhere.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RefuseToStart, RequestError } from '../../../shared/errors.ts';
import { parseJson } from '../../../shared/json.ts';
import { Generation } from '../../../shared/pipeline.ts';
import { Manifest } from './manifest.ts';

export interface Generations {
  /** The generation that searches ask now; null before the first page. Cheap: asked at every search. */
  current(): Promise<Manifest | null>;
  get(generation: string): Promise<Manifest | null>;
  /** Oldest first. */
  list(): Promise<Manifest[]>;
  /** Adds or replaces a manifest, as a whole. */
  save(manifest: Manifest): Promise<void>;
  /**
   * Moves the pointer, at once for both arms: a search names its generation in all of its jobs. Throws RequestError for one
   * that is not there or not ready.
   */
  switchTo(generation: string): Promise<void>;
  /** Throws RequestError for the current one and for one that is not there. Removes its manifest and its folder. */
  drop(generation: string): Promise<void>;
}

/** `<dataDir>/corpus/<generation>/`, where a generation has its files on this host. */
export function generationFolder(dataDir: string, generation: string): string {
  return join(dataDir, 'corpus', Generation.parse(generation));
}

export function openFileGenerations(dataDir: string): Generations {
  const pointer = join(dataDir, 'corpus', 'current');
  const get = (generation: string) => readManifest(join(generationFolder(dataDir, generation), 'manifest.json'));
  const currentName = async () => (await readIfThere(pointer))?.trim() ?? null;
  return {
    async current() {
      const name = await currentName();
      return name === null ? null : get(name);
    },
    get,
    list: () => listManifests(dataDir, get),
    async save(manifest) {
      const folder = generationFolder(dataDir, manifest.generation);
      await mkdir(folder, { recursive: true });
      await replaceFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    },
    async switchTo(generation) {
      requireReady(generation, await get(generation));
      await replaceFile(pointer, `${generation}\n`);
    },
    async drop(generation) {
      requireDroppable(generation, await get(generation), await currentName());
      await rm(generationFolder(dataDir, generation), { recursive: true });
    },
  };
}

/** Throws RequestError where a search could not be answered. */
export function requireReady(generation: string, manifest: Manifest | null): void {
  if (manifest === null) throw unknownGeneration(generation);
  if (manifest.state === 'ready') return;
  throw new RequestError(
    'not_ready',
    `${generation} is not built to its end: \`sidelight corpus build\` it again to go on`,
  );
}

export function requireDroppable(generation: string, manifest: Manifest | null, current: string | null): void {
  if (manifest === null) throw unknownGeneration(generation);
  if (generation !== current) return;
  throw new RequestError(
    'is_current',
    `${generation} is searched now: \`sidelight corpus switch\` to another one first`,
  );
}

export function unknownGeneration(generation: string): RequestError {
  return new RequestError('no_such_generation', `there is no generation ${generation}: see \`sidelight corpus stats\``);
}

async function listManifests(dataDir: string, get: Generations['get']): Promise<Manifest[]> {
  const entries = await readdir(join(dataDir, 'corpus'), { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory() && Generation.safeParse(entry.name).success);
  const manifests = await Promise.all(names.map(({ name }) => get(name)));
  return manifests.filter((manifest) => manifest !== null).sort((a, b) => a.createdAt.localeCompare(b.createdAt));
}

async function readManifest(path: string): Promise<Manifest | null> {
  const text = await readIfThere(path);
  if (text === null) return null;
  const parsed = Manifest.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new RefuseToStart(
    `${path} is damaged (${parsed.error.issues[0]?.path.join('.')}): build the generation again.`,
  );
}

async function readIfThere(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/** Whoever reads it has the old one or the new one. */
async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(`${path}.new`, text, { flush: true });
  await rename(`${path}.new`, path);
}
