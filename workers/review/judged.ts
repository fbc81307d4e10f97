/** What a person is shown and judges of a finding, as a key that forms carry: it changes when the finding says something else. Pure. */
import type { Finding } from '../../shared/citation.ts';
import { hashText } from '../../shared/hash.ts';

/** The same after another look that found the same, and after the search for better sources. */
export function judgedKey({ verdict, reason, evidence, missing, mismatches, model }: Finding): string {
  const details = mismatches.map(({ code, claim, page }) => [code, claim.start, claim.end, page.quote]);
  const words = missing.map(({ start, end }) => [start, end]);
  return hashText(JSON.stringify([verdict, reason, evidence?.quote, evidence?.url, words, details, model]));
}
