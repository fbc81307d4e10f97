/** Filters, any there can be, for tests of properties. */
import fc from 'fast-check';
import { Decision, UnavailableReason, Verdict } from '../../../shared/citation.ts';
import { type Filter, SORTS } from '../../../workers/review/filter.ts';

/** As no field of a form is: blank ones are left out. */
const words = fc
  .string({ minLength: 1, maxLength: 200, unit: 'grapheme' })
  .map((text) => text.slice(0, 250).trim())
  .filter((text) => !/^[\s_]*$/.test(text));
const title = words.map((text) => text.replaceAll('_', ' ').trim()).filter((text) => text !== '');
const range = (most: number) =>
  fc.tuple(fc.nat(most), fc.nat(most)).map(([a, b]) => (a < b ? [a, b] : [b, a]) as [number, number]);
/** Every filter there can be. */
export const filters: fc.Arbitrary<Filter> = fc
  .tuple(
    fc.record(
      {
        wiki: words,
        page: title,
        project: title,
        category: title,
        worklist: words,
        user: title,
        state: fc.constantFrom('open', 'accepted', 'closed', 'unmended', 'all'),
        verdict: fc.constantFrom(...Verdict.options, 'all'),
        reason: fc.constantFrom(...UnavailableReason.options),
        decision: fc.constantFrom(...Decision.options),
        viewsMin: fc.nat(1_000_000),
        suggestion: fc.boolean(),
        decidedBy: title,
        sort: fc.constantFrom(...SORTS),
      },
      { requiredKeys: ['state'] },
    ),
    fc.option(range(10_000)),
    fc.option(range(3650)),
  )
  .map(([filter, scores, ages]) => ({
    ...filter,
    ...(scores && { scoreMin: scores[0] / 10_000, scoreMax: scores[1] / 10_000 }),
    ...(ages && { minAge: ages[0], maxAge: ages[1] }),
  }));
