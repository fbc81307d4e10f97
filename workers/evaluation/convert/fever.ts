/**
 * FEVER, `train.jsonl` and the like (Thorne et al. 2018) with its wiki-pages → pairs. The sources are the pages of the first
 * evidence set whose pages are all there; NOT ENOUGH INFO has no evidence in FEVER and gives no pair.
 */
import { z } from 'zod';
import { FeverPage, readFeverPage } from '../fever/pages.ts';
import { FeverGold } from '../fever/score.ts';
import { toPair } from './evidence-sets.ts';
import type { Format } from './format.ts';

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
  convert: (record, pages) => (record.label === 'NOT ENOUGH INFO' ? null : toPair(record, pageSets(record), pages)),
};

function pageSets({ evidence }: Record): string[][] {
  return evidence.map((set) => set.flatMap(([, , page]) => (page === null ? [] : [page.normalize('NFC')])));
}
