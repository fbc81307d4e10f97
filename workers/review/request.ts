/** What a browser sends → checked values. In: strings of a URL. Out: a filter, an id; or RequestError naming the field. */
import { z } from 'zod';
import { Decision, UnavailableReason, Verdict } from '../../shared/citation.ts';
import { RequestError } from '../../shared/errors.ts';
import { type Filter, type Slice, SORTS } from './filter.ts';

/** An empty field of a form is one that is left out. */
const blank = (value: unknown) => (typeof value === 'string' && /^[\s_]*$/.test(value) ? undefined : value);
const optional = <T extends z.ZodType>(schema: T) => z.preprocess(blank, schema.optional());

const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: `one of ${values.join(', ')}, once` });
const text = (length: number) =>
  z.string({ error: 'given more than once' }).trim().max(length, `at most ${length} characters`);
/** As it stands in an address, with underscores, or as people write it. */
const title = (length: number) => text(length).transform((given) => given.replaceAll('_', ' ').trim());
const number = (pattern: RegExp, from: number, to: number, kind: string) => {
  const error = `${kind} from ${from} to ${to}, once`;
  return z
    .string({ error })
    .trim()
    .regex(pattern, error)
    .transform(Number)
    .pipe(z.number().min(from, error).max(to, error));
};
const whole = (from: number, to: number) => number(/^\d{1,16}$/, from, to, 'a whole number');
const chance = number(/^[01]?(\.\d{1,4})?$/, 0, 1, 'a number of at most four decimals');

export const Id = whole(1, Number.MAX_SAFE_INTEGER);

/** Names in the address, in the order in which it has them. */
export const FilterQuery = z.object({
  wiki: optional(text(255)),
  page: optional(title(512)),
  project: optional(title(255)),
  category: optional(title(255)),
  worklist: optional(text(255)),
  user: optional(title(255)),
  state: optional(oneOf(['open', 'accepted', 'closed', 'unmended', 'all'])),
  verdict: optional(oneOf([...Verdict.options, 'all'])),
  reason: optional(oneOf(UnavailableReason.options)),
  decision: optional(oneOf(Decision.options)),
  'score-min': optional(chance),
  'score-max': optional(chance),
  'min-age': optional(whole(0, 36_500)),
  'max-age': optional(whole(0, 36_500)),
  'views-min': optional(whole(0, 1_000_000_000)),
  suggestion: optional(oneOf(['yes', 'no'])),
  'decided-by': optional(title(255)),
  sort: optional(oneOf(['queue', ...SORTS])),
});
type FilterName = keyof typeof FilterQuery.shape;

/** What the address of a list may have. */
export const ListQuery = FilterQuery.extend({
  limit: optional(whole(1, 200)),
  after: optional(Id),
  /** Id of the finding that was just decided: the page says so. */
  done: optional(Id),
});

export interface ListRequest {
  filter: Filter;
  slice: Slice;
  done: number | null;
}

/** Throws RequestError `invalid`, its message beginning with the name of the field. */
export function parseList(query: unknown): ListRequest {
  return listOf(parse(ListQuery, query));
}

/** Of a query that was parsed. Throws RequestError `invalid` for a range that nothing can be in. */
export function listOf({ limit, after, done, ...asked }: z.infer<typeof ListQuery>): ListRequest {
  return {
    filter: filterOf(asked),
    slice: { limit: limit ?? DEFAULT_LIMIT, ...(after !== undefined && { after }) },
    done: done ?? null,
  };
}

/** Of a page of the list, where the address does not say. */
export const DEFAULT_LIMIT = 50;

function filterOf(asked: z.infer<typeof FilterQuery>): Filter {
  const filter = {
    wiki: asked.wiki,
    page: asked.page,
    project: asked.project,
    category: asked.category,
    worklist: asked.worklist,
    user: asked.user,
    state: asked.state ?? 'open',
    verdict: asked.verdict,
    reason: asked.reason,
    decision: asked.decision,
    scoreMin: asked['score-min'],
    scoreMax: asked['score-max'],
    minAge: asked['min-age'],
    maxAge: asked['max-age'],
    viewsMin: asked['views-min'],
    suggestion: asked.suggestion === undefined ? undefined : asked.suggestion === 'yes',
    decidedBy: asked['decided-by'],
    sort: asked.sort === 'queue' ? undefined : asked.sort,
  };
  inOrder('score-min', filter.scoreMin, filter.scoreMax, 'score-max');
  inOrder('min-age', filter.minAge, filter.maxAge, 'max-age');
  return defined(filter);
}

/** No range that nothing can be in. */
function inOrder(lowest: FilterName, low: number | undefined, high: number | undefined, highest: FilterName): void {
  if (low === undefined || high === undefined || low <= high) return;
  throw new RequestError('invalid', `${lowest}: more than ${highest}`);
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

function defined<T extends object>(value: T): Defined<T> {
  // what is left has no undefined value, which no type of `fromEntries` can say
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Defined<T>;
}

/** A filter as an address has it: names and values in one order, without what is the default. `parseList` reads it back. */
export function queryOf(filter: Filter): [name: FilterName, value: string][] {
  const { state, scoreMin, scoreMax, minAge, maxAge, viewsMin, suggestion, decidedBy, ...others } = filter;
  const values: Partial<Record<FilterName, string | number | undefined>> = {
    ...others,
    state: state === 'open' ? undefined : state,
    'score-min': scoreMin,
    'score-max': scoreMax,
    'min-age': minAge,
    'max-age': maxAge,
    'views-min': viewsMin,
    suggestion: suggestion === undefined ? undefined : suggestion ? 'yes' : 'no',
    'decided-by': decidedBy,
  };
  return FILTER_NAMES.flatMap((name) => (values[name] === undefined ? [] : [[name, String(values[name])]]));
}

const FILTER_NAMES = FilterQuery.keyof().options;

export function parseId(params: unknown): number {
  return parse(z.object({ id: Id }), params).id;
}

/** Throws RequestError `invalid`, its message beginning with the name of the field. */
export function parse<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new RequestError('invalid', `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'does not parse'}`);
}
