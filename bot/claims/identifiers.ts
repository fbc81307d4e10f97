/** Identifiers of works that stand for an address where no URL is given; free full texts first. Also in the gadget: imports only types. */
import type { Role } from '../vocabulary/vocabulary.ts';

export const IDENTIFIERS: readonly (readonly [Role, (id: string) => string])[] = [
  ['pmc', (id) => `https://www.ncbi.nlm.nih.gov/pmc/articles/PMC${id.replace(/^PMC/i, '')}/`],
  ['arxiv', (id) => `https://arxiv.org/abs/${id}`],
  ['doi', (id) => `https://doi.org/${id}`],
  ['jstor', (id) => `https://www.jstor.org/stable/${id}`],
  ['hdl', (id) => `https://hdl.handle.net/${id}`],
  ['pmid', (id) => `https://pubmed.ncbi.nlm.nih.gov/${id}/`],
];
