/** A claim as it is stored → what the engine reads of it: its terms, its clauses, and the text that the cross-encoder sees. */
import type { Claim } from '../../shared/citation.ts';
import { findTerms, type Terms } from './terms.ts';

/** What the engine reads of a claim. */
export type ClaimText = Pick<Claim, 'text' | 'antecedent' | 'title' | 'section' | 'context'>;

export interface ReadClaim {
  /** The claim alone: spans count its characters. */
  said: string;
  /** The claim with what it leans on: a pronoun is judged with what it stands for. */
  text: string;
  /** `claim | article | section | last words of the context`, for the cross-encoder. */
  written: string;
  terms: Terms;
  /** Parts that a page may support or not: between commas and before conjunctions. */
  clauses: { text: string; terms: Terms }[];
}

/** As training/train_cross_encoder.py writes it. */
const CONTEXT_WORDS = 20;

export function readClaim(claim: ClaimText): ReadClaim {
  const text = claim.antecedent === undefined ? claim.text : `${claim.antecedent} ${claim.text}`;
  const clauses = splitClauses(text).map((clause) => ({ text: clause, terms: findTerms(clause) }));
  return { said: claim.text, text, written: writeClaim(claim, text), terms: findTerms(text), clauses };
}

/** What an editor put behind a marker of its own is context, no part of the claim. */
function writeClaim({ antecedent = '', title, section, context }: ClaimText, text: string): string {
  const before = context.endsWith(antecedent) ? context.slice(0, context.length - antecedent.length) : context;
  const words = before.split(/\s+/).filter(Boolean);
  return [text, title, section.join(' '), words.slice(-CONTEXT_WORDS).join(' ')].filter(Boolean).join(' | ');
}

/** None shorter than four words. */
function splitClauses(text: string): string[] {
  const clauses: string[] = [];
  for (const part of text.split(CLAUSE_BOUNDARY)) {
    const last = clauses.at(-1);
    if (last === undefined || (!isShort(last) && !isShort(part))) clauses.push(part);
    else clauses[clauses.length - 1] = `${last} ${part}`;
  }
  return clauses;
}

function isShort(part: string): boolean {
  return part.trim().split(/\s+/).length < 4;
}

const CLAUSE_BOUNDARY = /(?<=[,;:])\s+|\s+(?=(?:and|but|while|which|who|where|when|after|before|because|with|by)\s)/;
