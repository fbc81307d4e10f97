/** What extraction gives: pairs, and a coded reason for every reference that is in none. */
import { z } from 'zod';
import { ClaimPair } from '../../shared/citation.ts';

/** Why a use of `<ref>` stands behind no claim. */
export const UnpairedReason = z.enum([
  /** Nothing is said before the marker: an empty cell, a marker at the start of its block. */
  'no_claim_text',
  /** A note of the article's authors that names no source. */
  'explanatory_note',
  /** Inside another reference. */
  'nested_reference',
  /** The reference is empty, or its name is defined nowhere. */
  'empty_reference',
  /** Behind a heading. */
  'heading',
  /** An editor put the comment `<!-- sidelight: ignore -->` into the reference, or right behind its marker. */
  'ignored',
  /** In a navigation box, a hatnote or a notice. */
  'outside_article',
  /** In a parameter of a template that the wiki does not have: it is not rendered. */
  'missing_template',
]);
export type UnpairedReason = z.infer<typeof UnpairedReason>;

export const Extraction = z.object({
  /** Every use of a reference on the page; definitions in the reference list are not uses. */
  refUses: z.int().nonnegative(),
  /** Uses that are in a pair: `refUses === citations + unpaired.length`. */
  citations: z.int().nonnegative(),
  /** Bare external links in a pair: citations that are no references. */
  links: z.int().nonnegative(),
  pairs: z.array(ClaimPair),
  /** `ref`: the marker's id on the page, or the missing template. */
  unpaired: z.array(z.object({ ref: z.string(), reason: UnpairedReason })),
});
export type Extraction = z.infer<typeof Extraction>;
