/** The passages of the corpus: stretches of their pages' texts. In: what a page was split into. Out: passages by id. */

import { z } from 'zod';
import type { Passage } from '../../../shared/citation.ts';
import type { Database } from '../../../shared/sql/better-sqlite3.ts';
import { type CorpusPassage, PassagePlace } from './store.ts';
import type { Pages } from './store-pages.ts';

export interface Passages {
  /** Gives their ids, which ascend. */
  add(pageId: number, passages: Passage[]): number[];
  ofPage(pageId: number): number[];
  get(ids: number[]): CorpusPassage[];
  places(ids: number[]): PassagePlace[];
  idsAfter(after: number, limit: number): number[];
}

export function openPassages(database: Database, pages: Pages): Passages {
  const insert = database.prepare(INSERT);
  const select = database.prepare(SELECT);
  const ofPage = database.prepare('SELECT id FROM passages WHERE page = ? ORDER BY position').pluck();
  const after = database.prepare('SELECT id FROM passages WHERE id > ? ORDER BY id LIMIT ?').pluck();
  const places = (ids: number[]) => z.array(PassagePlace).parse(select.all(JSON.stringify(ids)));
  const get = database.transaction((ids: number[]) => addTexts(places(ids), pages));
  return {
    add: (page, passages) =>
      passages.map(({ start, end }, position) => Number(insert.run({ page, position, start, end }).lastInsertRowid)),
    ofPage: (pageId) => Ids.parse(ofPage.all(pageId)),
    get: (ids) => get(ids), // in a transaction: places and texts are of the same moment
    places,
    idsAfter: (id, limit) => Ids.parse(after.all(id, limit)),
  };
}

/** Each page's text is read once, and only the last one's is held. */
function addTexts(places: PassagePlace[], pages: Pages): CorpusPassage[] {
  const passages = places.map((place) => ({ ...place, text: '' }));
  let page = { id: 0, text: '' };
  for (const passage of [...passages].sort((a, b) => a.pageId - b.pageId)) {
    if (page.id !== passage.pageId) page = { id: passage.pageId, text: pages.get(passage.pageId)?.text ?? '' };
    passage.text = page.text.slice(passage.start, passage.end);
  }
  return passages;
}

const Ids = z.array(z.int());

const INSERT = 'INSERT INTO passages (page, position, start, "end") VALUES (@page, @position, @start, @end)';
const SELECT = `
  SELECT passages.id, passages.page AS pageId, source_key AS sourceKey, url, title, domain, language,
    crawled_at AS crawledAt, published_at AS publishedAt, position, start, "end"
  FROM json_each(?) AS asked JOIN passages ON passages.id = asked.value JOIN pages ON pages.id = passages.page
  ORDER BY asked.key`;
