import { TransientError } from '../../../../shared/errors.ts';
import { createLogger } from '../../../../shared/logger.ts';
import type { Retrieved } from '../../../../shared/pipeline.ts';
import { createIndex, openElasticsearchIndex } from '../../../../workers/retrieval/sparse/elasticsearch.ts';
import { describeWith } from '../../../support/describe-with.ts';
import { aPassage } from './contract.ts';
import { aConnection, useElasticsearch } from './elasticsearch-node.ts';

const log = createLogger('silent', 'test');
const PASSAGES = Array.from({ length: 300 }, (_, id) =>
  aPassage(id, `Mill ${id}`, `The mill number ${id} stood idle.`),
);
const MILL = [{ word: 'mill', weight: 1 }];

describeWith(['elasticsearch'], 'three nodes of Elasticsearch', () => {
  const server = useElasticsearch({ nodes: 3, heap: '256m' });

  async function anIndex(name: string, replicas: number) {
    const elasticsearch = aConnection(server(), { shards: 3, replicas });
    await createIndex(elasticsearch, name);
    const index = openElasticsearchIndex({ elasticsearch, index: name, log });
    await index.add(PASSAGES);
    await index.count();
    await elasticsearch.ask((client) => client.cluster.health({ index: name, wait_for_status: 'green' }));
    return { ...index, close: () => elasticsearch.close() };
  }

  test('a node that is killed during a load of searches loses none, and what it alone held is said to be missing', async () => {
    const [copied, single] = await Promise.all([anIndex('copied', 1), anIndex('single', 0)]);
    const whole = { asked: 3, answered: 3 };
    expect((await single.search(MILL, 10)).shards).toEqual(whole);

    const answers: Retrieved[] = [];
    let searching = true;
    const load = Array.from({ length: 4 }, async () => {
      while (searching) answers.push(await insist(() => copied.search(MILL, 400)));
    });
    await until(() => answers.length >= 20);
    const [, killed] = server().nodes;
    process.kill(-(killed?.pid ?? 0), 'SIGKILL');
    const before = answers.length;
    await until(() => answers.length >= before + 100);
    searching = false;
    await Promise.all(load);

    expect(answers.filter(({ hits }) => hits.length < PASSAGES.length)).toEqual([]);
    const partly = await insist(() => single.search(MILL, 400));
    expect(partly.shards.asked).toBe(3);
    expect(partly.shards.answered).toBeLessThan(3);
    expect(partly.hits.length).toBeGreaterThan(0);
    await Promise.all([copied.close(), single.close()]);
  }, 180_000);
});

/** As the queue does with a search that the cluster can't do now: until the nodes that are left have agreed on a master. */
async function insist<T>(search: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await search();
    } catch (error) {
      if (!(error instanceof TransientError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}
