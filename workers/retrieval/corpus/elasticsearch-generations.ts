/**
 * The generations of the corpus in Elasticsearch, where every host reads them: the manifest of each beside its index's mapping,
 * the pointer as an alias. In and out: manifests. Of a generation's files only those of this host are dropped with it.
 */
import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { RefuseToStart } from '../../../shared/errors.ts';
import { createIndex, indexName } from '../sparse/elasticsearch.ts';
import type { Elasticsearch } from '../sparse/elasticsearch-connection.ts';
import { type Generations, generationFolder, requireDroppable, requireReady } from './generations.ts';
import { Manifest } from './manifest.ts';

/** Leads to the index that is searched now. */
export function readAlias(prefix: string): string {
  return `${prefix}_read`;
}

/** Every method throws TransientError while Elasticsearch is away. `dataDir`: of this host. */
export function openElasticsearchGenerations(elasticsearch: Elasticsearch, dataDir: string): Generations {
  const { ask, settings } = elasticsearch;
  const { prefix } = settings;
  const get = async (generation: string) => {
    const manifests = await readManifests(elasticsearch, indexName(prefix, generation));
    return manifests.find((manifest) => manifest.generation === generation) ?? null;
  };
  const current = async () => (await readManifests(elasticsearch, readAlias(prefix)))[0] ?? null;
  return {
    current,
    get,
    async list() {
      const manifests = await readManifests(elasticsearch, `${prefix}-*`);
      return manifests.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
    },
    async save(manifest) {
      const index = indexName(prefix, manifest.generation);
      const meta = { [META]: manifest };
      await createIndex(elasticsearch, index, meta);
      await ask((client) => client.indices.putMapping({ index, _meta: meta }));
    },
    async switchTo(generation) {
      requireReady(generation, await get(generation));
      const index = indexName(prefix, generation);
      const alias = readAlias(prefix);
      const before = await ask((client) => client.indices.getAlias({ name: alias }, { ignore: [404] }));
      const left = Object.keys(Aliases.safeParse(before).data ?? {}).filter((name) => name !== index);
      const actions = [{ add: { index, alias } }, ...left.map((name) => ({ remove: { index: name, alias } }))];
      await ask((client) => client.indices.updateAliases({ actions }));
    },
    async drop(generation) {
      requireDroppable(generation, await get(generation), (await current())?.generation ?? null);
      await ask((client) => client.indices.delete({ index: indexName(prefix, generation) }));
      await rm(generationFolder(dataDir, generation), { recursive: true, force: true });
    },
  };
}

/** Of the indices that a name, an alias or a pattern leads to; those of other programs and of other prefixes are left out. */
async function readManifests({ ask, settings }: Elasticsearch, index: string): Promise<Manifest[]> {
  const answer = await ask((client) => client.indices.getMapping({ index }, { ignore: [404] }));
  return Object.entries(Mappings.safeParse(answer).data ?? {}).flatMap(([name, { mappings }]) => {
    const found = mappings._meta?.[META];
    if (found === undefined) return [];
    const parsed = Manifest.safeParse(found);
    if (!parsed.success)
      throw new RefuseToStart(`The manifest of the index ${name} is damaged: build the generation again.`);
    return name === indexName(settings.prefix, parsed.data.generation) ? parsed.data : [];
  });
}

const META = 'sidelight';
const Mappings = z.record(
  z.string(),
  z.object({ mappings: z.object({ _meta: z.record(z.string(), z.unknown()).optional() }) }),
);
const Aliases = z.record(z.string(), z.object({ aliases: z.record(z.string(), z.unknown()) }));
