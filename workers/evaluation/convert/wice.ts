/** WiCE, `entailment_retrieval/{claim,subclaim}/*.jsonl` (Kamoi et al. 2023) → pairs. Gold sentences are not carried over. */
import { z } from 'zod';
import type { Format } from './format.ts';
import { readHeadings } from './sections.ts';

const Record = z.object({
  label: z.enum(['supported', 'partially_supported', 'not_supported']),
  claim: z.string().min(1),
  /** Sentences of all cited pages, in order; a page begins with `(meta data) TITLE: …` where it has a title. */
  evidence: z.array(z.string()),
  meta: z.object({
    id: z.string(),
    claim_title: z.string(),
    claim_section: z.string(),
    claim_context: z.string(),
  }),
});

export const wice: Format<z.infer<typeof Record>> = {
  schema: Record,
  layout: 'lines',
  convert({ label, claim, evidence, meta }) {
    const text = evidence.filter((sentence) => !META.test(sentence)).join('\n');
    if (text.trim() === '') return null;
    const [, title = ''] = TITLE.exec(evidence[0] ?? '') ?? [];
    return {
      id: meta.id,
      claim: {
        text: claim,
        title: meta.claim_title,
        section: readHeadings(meta.claim_section),
        context: meta.claim_context,
      },
      // no address is published
      sources: [{ url: `urn:wice:${meta.id}`, title, text }],
      label,
      article: meta.claim_title,
    };
  },
};

const META = /^\(meta data\) /;
const TITLE = /^\(meta data\) TITLE: (.*)$/s;
