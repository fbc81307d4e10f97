/**
 * VitaminC, `{train,dev}.jsonl` (Schuster et al. 2021) → pairs, the source being the one evidence sentence. NOT ENOUGH INFO
 * and REFUTES are both "not supported"; `kind` keeps them apart.
 */
import { z } from 'zod';
import type { Format } from './format.ts';
import { wikipediaUrl } from './format.ts';

const Record = z.object({
  unique_id: z.string(),
  label: z.enum(['SUPPORTS', 'REFUTES', 'NOT ENOUGH INFO']),
  claim: z.string().min(1),
  evidence: z.string(),
  /** Title of the Wikipedia page. */
  page: z.string(),
});

export const vitaminc: Format<z.infer<typeof Record>> = {
  schema: Record,
  layout: 'lines',
  convert({ unique_id, label, claim, evidence, page }) {
    if (evidence.trim() === '') return null;
    return {
      id: unique_id,
      claim: { text: claim, title: '', section: [], context: '' },
      sources: [{ url: wikipediaUrl(page), title: page, text: evidence }],
      label: label === 'SUPPORTS' ? 'supported' : 'not_supported',
      article: page,
      kind: label,
    };
  },
};
