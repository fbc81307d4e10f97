/** Source Verifier's benchmark, `dataset.json` (an array, or `{metadata, rows}`) → pairs. Rows without a source's text give none. */
import { z } from 'zod';
import type { Format } from './format.ts';

const LABELS = {
  Supported: 'supported',
  'Partially supported': 'partially_supported',
  'Not supported': 'not_supported',
  'Source unavailable': null,
} as const;

const Record = z.object({
  id: z.string(),
  article_title: z.string().nullish(),
  claim_text: z.string(),
  /** The paragraph or list item that the claim stands in. */
  claim_container: z.string().nullish(),
  source_url: z.string().nullish(),
  source_text: z.string().nullish(),
  ground_truth: z.enum(['Supported', 'Partially supported', 'Not supported', 'Source unavailable']),
});

export const sourceVerifier: Format<z.infer<typeof Record>> = {
  schema: Record,
  layout: 'document',
  convert(row) {
    const label = LABELS[row.ground_truth];
    if (label === null || !row.source_text || row.claim_text.trim() === '') return null;
    const title = row.article_title ?? '';
    const context = contextOf(row.claim_text, row.claim_container ?? '');
    return {
      id: row.id,
      claim: { text: row.claim_text, title, section: [], context },
      sources: [{ url: row.source_url || `urn:source-verifier:${row.id}`, title: '', text: row.source_text }],
      label,
      article: title,
    };
  },
};

/** What stands before the claim; '' where the claim is not found as it is (markers inside it). */
function contextOf(claim: string, container: string): string {
  const at = container.indexOf(claim);
  return at === -1
    ? ''
    : container
        .slice(0, at)
        .replace(/\[\d+\]/g, '')
        .replace(/\s+/g, ' ')
        .trim();
}
