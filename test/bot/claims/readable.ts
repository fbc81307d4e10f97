/** An extraction as a person reads and checks it: `[CIT]` in the claim, no hashes, nothing that is null or empty. */

import type { Extraction } from '../../../bot/claims/extract.ts';
import type { Citation, ClaimPair } from '../../../shared/citation.ts';

export function readable({ refUses, citations, unpaired, pairs }: Extraction) {
  return { refUses, citations, unpaired, pairs: pairs.map(readablePair) };
}

function readablePair({ claim, citations }: ClaimPair) {
  const { text, markerOffset, context, section, kind, trigger } = claim;
  const marked = `${text.slice(0, markerOffset)}[CIT]${text.slice(markerOffset)}`;
  return { claim: marked, ...filled({ context, kind, trigger, section }), citations: citations.map(readableCitation) };
}

function readableCitation({ hash: _, ...citation }: Citation) {
  return filled(citation);
}

function filled(record: Record<string, unknown>): Record<string, unknown> {
  const isEmpty = (value: unknown) => value === null || value === '' || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(record).filter(([, value]) => !isEmpty(value)));
}
