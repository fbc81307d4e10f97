/**
 * FEVER, `train.jsonl` and the like (Thorne et al. 2018) with its wiki-pages → pairs. The sources are the pages of the first
 * evidence set whose pages are all there; NOT ENOUGH INFO has no evidence in FEVER and gives no pair.
 */
import { z } from 'zod';
import { FeverPage, readFeverPage } from '../fever/pages.ts';
import { FeverGold } from '../fever/score.ts';
import { firstWholeSet } from './evidence-sets.ts';
import type { Format } from './format.ts';
import { wikipediaUrl } from './format.ts';

const Record = FeverGold.extend({ id: z.union([z.string(), z.number()]), claim: z.string().min(1) });
type Record = z.infer<typeof Record>;

export const fever: Format<Record> = {
  schema: Record,
  layout: 'lines',
  pages: {
    required: true,
    schema: FeverPage.transform(readFeverPage),
    keysOf: (record) => pageSets(record).flat(),
    keyOf: ({ url }) => url.normalize('NFC'),
  },
  convert(record, pages) {
    const found = firstWholeSet(pageSets(record), pages);
    if (record.label === 'NOT ENOUGH INFO' || found === null) return null;
    return {
      id: String(record.id),
      claim: { text: record.claim, title: '', section: [], context: '' },
      sources: found.map(({ title, text }) => ({ url: wikipediaUrl(title), title, text })),
      label: record.label === 'SUPPORTS' ? 'supported' : 'not_supported',
      article: found[0]?.title,
      kind: record.label,
    };
  },
};

function pageSets({ evidence }: Record): string[][] {
  return evidence.map((set) => set.flatMap(([, , page]) => (page === null ? [] : [page.normalize('NFC')])));
}
