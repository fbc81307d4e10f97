/**
 * FEVEROUS, `feverous_{train,dev}_challenges.jsonl` (Aly et al. 2021) with its Wikipedia pages → pairs. The sources are the
 * pages of the first evidence set whose pages are all there, tables as rows. NOT ENOUGH INFO is "not supported" here: its
 * evidence tells a part of the claim or none, and the data does not say which (`kind` keeps it apart).
 */
import { z } from 'zod';
import { FeverousPage } from '../feverous/pages.ts';
import { FeverousGold, isHeader } from '../feverous/score.ts';
import { toPair } from './evidence-sets.ts';
import type { Format } from './format.ts';

const Record = FeverousGold.extend({ id: z.union([z.string(), z.number()]), claim: z.string().min(1) });
type Record = z.infer<typeof Record>;

export const feverous: Format<Record> = {
  schema: Record,
  layout: 'lines',
  isHeader,
  pages: {
    required: true,
    schema: FeverousPage,
    keysOf: (record) => pageSets(record).flat(),
    keyOf: ({ url }) => url.normalize('NFC'),
  },
  convert: (record, pages) => toPair(record, pageSets(record), pages),
};

function pageSets({ evidence }: Record): string[][] {
  return evidence.map(({ content }) => content.map(([page]) => page.normalize('NFC')));
}
