/**
 * Fool Me Twice, `dataset/*.jsonl` (Eisenschlos et al. 2021) → pairs. The source is the part of the Wikipedia page that the
 * data has: the sentences that were retrieved for the claim and the gold ones, so that evidence has to be found among others.
 */
import { z } from 'zod';
import type { Format } from './format.ts';
import { wikipediaUrl } from './format.ts';

const Evidence = z.object({ section_header: z.string(), text: z.string() });

const Record = z.object({
  id: z.string(),
  /** The claim. */
  text: z.string().min(1),
  label: z.enum(['SUPPORTS', 'REFUTES']),
  wikipedia_page: z.string(),
  gold_evidence: z.array(Evidence),
  retrieved_evidence: z.array(Evidence),
});

export const fm2: Format<z.infer<typeof Record>> = {
  schema: Record,
  layout: 'lines',
  convert({ id, text, label, wikipedia_page: title, gold_evidence, retrieved_evidence }) {
    const sentences = new Set([...retrieved_evidence, ...gold_evidence].map((evidence) => evidence.text.trim()));
    const page = [...sentences].filter((sentence) => sentence !== '').join('\n');
    if (page === '') return null;
    return {
      id,
      claim: { text, title: '', section: [], context: '' },
      sources: [{ url: wikipediaUrl(title), title, text: page }],
      label: label === 'SUPPORTS' ? 'supported' : 'not_supported',
      article: title,
      kind: label,
    };
  },
};
