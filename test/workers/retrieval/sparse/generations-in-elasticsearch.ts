/** What generations must do whose manifests are in Elasticsearch. In: a server. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../../../shared/logger.ts';
import { openElasticsearchEngine } from '../../../../workers/retrieval/corpus/elasticsearch-engine.ts';
import type { Manifest } from '../../../../workers/retrieval/corpus/manifest.ts';
import type { SparseEngine } from '../../../../workers/retrieval/corpus/sparse-engine.ts';
import type { RunningElasticsearch } from '../../../support/elasticsearch.ts';
import { aPassage } from './contract.ts';
import { aConnection } from './elasticsearch-node.ts';

export function theyAreGenerations(server: () => RunningElasticsearch): void {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sidelight-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** As a host of its own opens it. */
  function anEngine(prefix: string): SparseEngine {
    const settings = { ...aConnection(server()).settings, prefix };
    return openElasticsearchEngine(settings, folder, createLogger('silent', 'test'));
  }

  function aManifest(engine: SparseEngine, generation: string, createdAt: string, state: Manifest['state'] = 'ready') {
    return {
      ...{ generation, createdAt, state, encoder: { version: 'test-1', dimensions: 4 } },
      ...{ sparse: engine.describe(generation), shards: [{ shard: 0, sealed: null }], pages: 0, passages: 0 },
    };
  }

  test('what one host saves and switches to, another one finds', async () => {
    const [here, there] = [anEngine('gen'), anEngine('gen')];
    expect(await there.generations.current()).toBeNull();
    expect(await there.generations.list()).toEqual([]);
    const winter = aManifest(here, 'winter', '2026-01-02T03:04:05.000Z');
    const spring = aManifest(here, 'spring', '2026-04-02T03:04:05.000Z', 'building');
    await here.generations.save(spring);
    await here.generations.save(winter);
    expect(await there.generations.list()).toEqual([winter, spring]);
    expect(await there.generations.current()).toBeNull();

    await here.generations.switchTo('winter');
    expect(await there.generations.current()).toEqual(winter);
    await expect(there.generations.switchTo('spring')).rejects.toMatchObject({ code: 'not_ready' });
    await there.generations.save({ ...spring, state: 'ready', pages: 3 });
    await there.generations.switchTo('spring');
    await there.generations.switchTo('spring');
    expect(await here.generations.current()).toEqual({ ...spring, state: 'ready', pages: 3 });

    await expect(here.generations.drop('spring')).rejects.toMatchObject({ code: 'is_current' });
    await here.generations.drop('winter');
    expect(await there.generations.get('winter')).toBeNull();
    await expect(there.generations.switchTo('winter')).rejects.toMatchObject({ code: 'no_such_generation' });
    await Promise.all([here.close(), there.close()]);
  });

  test('a manifest that is saved again keeps the passages of its index, each generation its own', async () => {
    const engine = anEngine('own');
    const manifests = ['one', 'two'].map((name) => aManifest(engine, name, '2026-01-02T03:04:05.000Z'));
    const [one, two] = await Promise.all(
      manifests.map(async (manifest) => {
        await engine.generations.save(manifest);
        return engine.open(manifest, folder);
      }),
    );
    await one?.add([aPassage(1, 'Mill', 'The mill of one.')]);
    await two?.add([aPassage(1, 'Ferry', 'The ferry of two.', 'de')]);
    for (const manifest of manifests) await engine.generations.save({ ...manifest, passages: 1 });
    expect([await one?.count(), await two?.count()]).toEqual([1, 1]);
    const words = [{ word: 'ferry', weight: 1 }];
    expect((await one?.search(words, 5))?.hits).toEqual([]);
    expect((await two?.search(words, 5))?.hits).toHaveLength(1);
    await engine.close();
  });

  test('installations with other prefixes, and indices of other programs, are not ours', async () => {
    const [ours, theirs] = [anEngine('a'), anEngine('a-b')];
    const elasticsearch = aConnection(server());
    await elasticsearch.ask((client) => client.indices.create({ index: 'a-foreign' }));
    await theirs.generations.save(aManifest(theirs, 'c', '2026-01-02T03:04:05.000Z'));
    expect(await ours.generations.list()).toEqual([]);
    expect(await ours.generations.get('b-c')).toBeNull();
    expect(await ours.generations.get('foreign')).toBeNull();
    await Promise.all([ours.close(), theirs.close(), elasticsearch.close()]);
  });
}
