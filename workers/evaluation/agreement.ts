/**
 * Judgements of several people on cited and suggested sources → how far they agree (Fleiss' κ), what most of them say, and
 * whether one of the two is preferred (two-sided exact sign test), as SIDE's study with readers reports them (Petroni et al.
 * 2023). Small code of our own: no kept package has κ, and the binomial test of stdlib brings dozens of packages.
 */
import { z } from 'zod';
import { RequestError } from '../../shared/errors.ts';
import { readRecords } from './jsonl.ts';

/** How much of the claim the source is evidence for. */
export const Sufficiency = z.enum(['enough', 'partial', 'none']);
export const Preference = z.enum(['cited', 'suggested', 'neither']);

/** A line of the file: what one person says of the two sources of one claim, the order in which they were shown unknown. */
export const SourceJudgement = z.object({
  /** Of the finding. */
  item: z.string().min(1),
  /** Name or pseudonym of who judged. */
  judge: z.string().min(1),
  cited: Sufficiency,
  suggested: Sufficiency,
  preferred: Preference,
});
export type SourceJudgement = z.infer<typeof SourceJudgement>;

type Question = 'cited' | 'suggested' | 'preferred';

export interface Agreement {
  items: number;
  judgements: number;
  judges: number;
  /** Null where no item was judged twice, or all answers of all items are the same: κ is 0/0 there. */
  kappa: Record<Question, number | null>;
  /** Items by the answer that more gave than any other; `no_majority` where two answers lead. */
  majority: Record<Question, Record<string, number>>;
  /** Items whose majority prefers one of the two; the others say nothing of the difference and are left out. */
  sign_test: { prefer_suggested: number; prefer_cited: number; left_out: number; p: number };
}

/** Throws RequestError for a malformed line, someone who judged an item twice, or no judgement. */
export async function measureAgreement(path: string): Promise<Agreement> {
  const judgements: SourceJudgement[] = [];
  for await (const judgement of readRecords({ path, schema: SourceJudgement })) judgements.push(judgement);
  if (judgements.length === 0) throw new RequestError('no_judgements', `${path}: there is no judgement`);
  return agreementOf(judgements);
}

/** Throws RequestError for someone who judged an item twice. Without judgements all is 0, and κ null. */
export function agreementOf(judgements: readonly SourceJudgement[]): Agreement {
  const items = groupItems(judgements);
  const preferred = majorities(items, 'preferred', Preference.options);
  return {
    items: items.size,
    judgements: judgements.length,
    judges: new Set(judgements.map(({ judge }) => judge)).size,
    kappa: {
      cited: fleissKappa(countAnswers(items, 'cited', Sufficiency.options)),
      suggested: fleissKappa(countAnswers(items, 'suggested', Sufficiency.options)),
      preferred: fleissKappa(countAnswers(items, 'preferred', Preference.options)),
    },
    majority: {
      cited: majorities(items, 'cited', Sufficiency.options),
      suggested: majorities(items, 'suggested', Sufficiency.options),
      preferred,
    },
    sign_test: {
      prefer_suggested: preferred.suggested,
      prefer_cited: preferred.cited,
      left_out: preferred.neither + preferred.no_majority,
      p: signTest(preferred.suggested, preferred.cited),
    },
  };
}

/**
 * `counts[item][category]`: how many chose it. Items may have different numbers of judges: agreement is the mean over items
 * with at least two, chance the mean of the items' shares (Gwet, Handbook of Inter-Rater Reliability); with equal numbers that
 * is Fleiss 1971. Null where it is undefined.
 */
export function fleissKappa(counts: readonly (readonly number[])[]): number | null {
  const judged = counts.map((row) => ({ row, judges: sum(row) })).filter(({ judges }) => judges > 0);
  const several = judged.filter(({ judges }) => judges > 1);
  if (several.length === 0) return null;
  const agreed = several.map(({ row, judges }) => sum(row.map((n) => n * (n - 1))) / (judges * (judges - 1)));
  const observed = sum(agreed) / several.length;
  const shares = (counts[0] ?? []).map(
    (_, category) => sum(judged.map(({ row, judges }) => (row[category] ?? 0) / judges)) / judged.length,
  );
  const chance = sum(shares.map((share) => share * share));
  return chance === 1 ? null : (observed - chance) / (1 - chance);
}

/** P of a split at least this uneven if both were equally likely (exact, two-sided). 1 without any. */
export function signTest(wins: number, losses: number): number {
  const n = wins + losses;
  let logarithm = n * Math.log(0.5); // of P(k of n): of many judgements P itself is too small for a number
  let tail = 0;
  for (let k = 0; k <= Math.min(wins, losses); k += 1) {
    tail += Math.exp(logarithm);
    logarithm += Math.log((n - k) / (k + 1));
  }
  return Math.min(1, 2 * tail);
}

type Items = Map<string, Map<string, SourceJudgement>>;

function groupItems(judgements: readonly SourceJudgement[]): Items {
  const items: Items = new Map();
  for (const judgement of judgements) {
    const judges = items.get(judgement.item) ?? new Map<string, SourceJudgement>();
    if (judges.has(judgement.judge)) {
      throw new RequestError('judged_twice', `${judgement.judge} judged item ${judgement.item} twice`);
    }
    items.set(judgement.item, judges.set(judgement.judge, judgement));
  }
  return items;
}

function countAnswers(items: Items, question: Question, options: readonly string[]): number[][] {
  return [...items.values()].map((judges) =>
    options.map((option) => [...judges.values()].filter((judgement) => judgement[question] === option).length),
  );
}

function majorities<O extends string>(items: Items, question: Question, options: readonly O[]) {
  const leaders = countAnswers(items, question, options).map((row) => {
    const most = Math.max(...row);
    const leading = options.filter((_, at) => row[at] === most);
    return leading.length === 1 ? leading[0] : 'no_majority';
  });
  const names: (O | 'no_majority')[] = [...options, 'no_majority'];
  const counted = names.map((name) => [name, leaders.filter((leader) => leader === name).length]);
  return Object.fromEntries(counted) as Record<O | 'no_majority', number>; // fromEntries forgets the keys
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
