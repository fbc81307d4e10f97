/** What is asked of the list: each filter alone, each order alone, and combinations drawn from a fixed seed. Out: filters by name. */
import type { Filter, Sort } from '../../../workers/review/filter.ts';
import { SORTS } from '../../../workers/review/filter.ts';
import { createRandom, GROUPS, PEOPLE, titleOf, WIKI } from './fill.ts';

export interface Asked {
  name: string;
  filter: Filter;
}

type Choice = Partial<Omit<Filter, 'sort'>>;

/** The first and the last names are those of the largest and the smallest group. */
const CHOICES: readonly Choice[] = [
  { wiki: WIKI },
  { page: titleOf(3) },
  { project: 'project 0' },
  { project: `project ${GROUPS.project[0] - 1}` },
  { category: 'category 0' },
  { category: `category ${GROUPS.category[0] - 1}` },
  { worklist: 'worklist 0' },
  { user: 'user 7' },
  { state: 'accepted' },
  { state: 'closed' },
  { state: 'unmended' },
  { state: 'all' },
  { verdict: 'contradicted' },
  { verdict: 'supported' },
  { verdict: 'all' },
  { verdict: 'unavailable', reason: 'dead' },
  { decision: 'cant_tell' },
  { scoreMin: 0.4 },
  { scoreMax: 0.01 },
  { minAge: 365 },
  { maxAge: 1 },
  { viewsMin: 30_000 },
  { suggestion: true },
  { suggestion: false },
  { state: 'all', decidedBy: PEOPLE[39] ?? '' },
  { state: 'all', decidedBy: 'Nobody' },
];

export function eachAlone(): Asked[] {
  const open = { state: 'open' } as const;
  const sorted = SORTS.map((sort: Sort) => ({ name: `sort=${sort}`, filter: { ...open, sort } }));
  const filtered = CHOICES.map((choice) => ({ name: JSON.stringify(choice), filter: { ...open, ...choice } }));
  return [{ name: 'nothing', filter: open }, ...sorted, ...filtered];
}

/** Two to four filters and any order. */
export function combined(count: number): Asked[] {
  const random = createRandom(3);
  const draw = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)];
  return Array.from({ length: count }, () => {
    const chosen = Array.from({ length: 2 + Math.floor(random() * 3) }, () => draw(CHOICES) ?? {});
    const sort = draw([undefined, ...SORTS]);
    const filter: Filter = Object.assign({ state: 'open' as const, ...(sort && { sort }) }, ...chosen);
    return { name: JSON.stringify(filter), filter };
  });
}
