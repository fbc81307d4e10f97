/**
 * A claim and its candidate pages → one of FEVER's three labels and the evidence: documents, then the engine's verdict on
 * them, then sentences and cells. Both FEVER and FEVEROUS go through here; neither looks at gold labels.
 */
import type { Claim, Verdict } from '../../../shared/citation.ts';
import type { Page } from '../../verification/passages.ts';
import { shareTerms } from '../../verification/select.ts';
import { findTerms, type Terms } from '../../verification/terms.ts';
import { chooseEvidence, type Quoted } from './choose.ts';
import type { EvidencePage } from './evidence-page.ts';
import type { FeverLabel } from './score.ts';

/** What FEVER's own baseline reads. */
const MAX_DOCUMENTS = 5;

/** The engine, as far as it is needed here: `verify` of a `Verifier`. */
export type Judge = (
  claim: Pick<Claim, 'text' | 'title' | 'section' | 'context'>,
  pages: readonly Page[],
) => Promise<{ verdict: Verdict; evidence: Quoted }>;

export interface Prediction<E> {
  label: FeverLabel;
  /** Best first. */
  evidence: E[];
}

/** Without a page that has text: NOT ENOUGH INFO and no evidence. Evidence is given whatever the label: FEVEROUS counts it. */
export async function predict<E>(
  text: string,
  candidates: readonly EvidencePage<E>[],
  judge: Judge,
): Promise<Prediction<E>> {
  const terms = findTerms(text);
  const pages = chooseDocuments(terms, candidates);
  if (pages.length === 0) return { label: 'NOT ENOUGH INFO', evidence: [] };
  const { verdict, evidence } = await judge({ text, title: '', section: [], context: '' }, pages);
  return { label: labelOf(verdict), evidence: chooseEvidence(terms, pages, evidence) };
}

/** FEVER has no part-supported: a claim with a part that nothing tells of is NOT ENOUGH INFO (Thorne et al. 2018). */
function labelOf(verdict: Verdict): FeverLabel {
  if (verdict === 'supported') return 'SUPPORTS';
  return verdict === 'contradicted' ? 'REFUTES' : 'NOT ENOUGH INFO';
}

function chooseDocuments<E>(claim: Terms, candidates: readonly EvidencePage<E>[]): EvidencePage<E>[] {
  return candidates
    .filter(({ text }) => text.trim() !== '')
    .map((page) => ({ page, shared: shareTerms(claim, findTerms(`${page.title}\n${page.text}`)) }))
    .sort((a, b) => b.shared - a.shared)
    .slice(0, MAX_DOCUMENTS)
    .map(({ page }) => page);
}
