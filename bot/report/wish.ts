/** What a page asks for by its template: `{{Sidelight report|max=50|verdicts=contradicted, not supported}}`. Asks no wiki. */
import { Verdict } from '../../shared/citation.ts';
import { type Refusal, refuse } from '../write/outcome.ts';
import type { PageText } from '../write/page-text.ts';
import type { Site } from '../write/site.ts';

export interface Wish {
  kind: 'wish';
  /** Findings at most. */
  max: number;
  /** Null: all that may have something to mend. */
  verdicts: readonly Verdict[] | null;
}

/** The first such template holds. What it says must be understood: a page never gets what it did not ask for. */
export function readWish(page: PageText, template: string, site: Pick<Site, 'isTemplate'>): Wish | Refusal {
  const found = page.templates.find(({ name }) => site.isTemplate(name, template));
  if (found === undefined) return refuse('not_opted_in', `${page.title} has no {{${template}}}`);
  const max = found.params.get('max') || String(DEFAULT_MAX);
  if (!/^\d{1,4}$/.test(max) || Number(max) < 1) return refuse('bad_parameter', `max=${max}`);
  const names = (found.params.get('verdicts') ?? '').split(',').map((name) => name.trim().toLowerCase());
  const verdicts = names.filter((name) => name !== '').map((name) => Verdict.safeParse(name.replaceAll(' ', '_')));
  if (verdicts.some(({ success }) => !success)) return refuse('bad_parameter', `verdicts=${names.join(', ')}`);
  const read = verdicts.flatMap(({ data }) => data ?? []);
  return { kind: 'wish', max: Number(max), verdicts: read.length === 0 ? null : read };
}

const DEFAULT_MAX = 100;
