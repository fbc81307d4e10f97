/**
 * Passages and pages out of a generation's Elasticsearch index, for hosts that have no corpus.sqlite. In: ids. Out: what the corpus
 * store gives, but that a page's text is its passages: white space between them is not what it was.
 */
import { hashText } from '../../../shared/hash.ts';
import type { Elasticsearch } from '../sparse/elasticsearch-connection.ts';
import { toPassage } from '../sparse/elasticsearch-mapping.ts';
import type { CorpusPassage, StoredPage } from './store.ts';

/** The reading half of `CorpusStore`. Every method throws TransientError while Elasticsearch is away. */
export interface RemotePassages {
  passages(ids: number[]): Promise<CorpusPassage[]>;
  page(pageId: number): Promise<StoredPage | null>;
}

export function openElasticsearchPassages({ ask }: Elasticsearch, index: string): RemotePassages {
  return {
    async passages(ids) {
      if (ids.length === 0) return [];
      const { docs } = await ask((client) => client.mget({ index, ids: ids.map(String) }));
      return docs.flatMap((item) => ('found' in item && item.found ? toPassage(item._source) : []));
    },
    async page(pageId) {
      const query = { term: { pageId } };
      const sort = [{ position: 'asc' as const }];
      const { hits } = await ask((client) => client.search({ index, query, sort, size: MAX_PASSAGES }));
      return joinPage(hits.hits.map((hit) => toPassage(hit._source)));
    },
  };
}

/** Offsets stay what they are. */
function joinPage(passages: CorpusPassage[]): StoredPage | null {
  const first = passages[0];
  if (first === undefined) return null;
  let text = '';
  for (const passage of passages) {
    const gap = passage.start - text.length;
    text += `${gap > 0 ? '\n'.padStart(gap) : ''}${passage.text}`;
  }
  const { pageId, id, position, start, end, ...page } = first;
  return { ...page, id: pageId, text, contentHash: hashText(text) };
}

/** Of a page: workers/verification/passages.ts has no more. */
const MAX_PASSAGES = 2000;
