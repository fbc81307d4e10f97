/** What a browser sends → checked values. In: strings of a URL. Out: a filter, an id; or RequestError naming the field. */
import { z } from 'zod';
import { Verdict } from '../../shared/citation.ts';
import { RequestError } from '../../shared/errors.ts';
import type { Filter, Slice } from './queue.ts';

/** An empty field of a form is one that is left out. */
const blank = (value: unknown) => (value === '' ? undefined : value);
const optional = <T extends z.ZodType>(schema: T) => z.preprocess(blank, schema.optional());

const Id = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);

const ListQuery = z.object({
  wiki: optional(z.string().max(255)),
  page: optional(z.string().max(512)),
  state: optional(z.enum(['open', 'closed', 'unmended', 'all'])),
  verdict: optional(z.enum([...Verdict.options, 'all'])),
  limit: optional(z.coerce.number().int().min(1).max(200)),
  after: optional(Id),
  /** Id of the finding that was just decided: the page says so. */
  done: optional(Id),
});

export interface ListRequest {
  filter: Filter;
  slice: Slice;
  done: number | null;
}

export function parseList(query: unknown): ListRequest {
  const { wiki, page, state, verdict, limit, after, done } = parse(ListQuery, query);
  return {
    filter: {
      ...(wiki !== undefined && { wiki }),
      // a title in an address has underscores
      ...(page !== undefined && { page: page.replaceAll('_', ' ') }),
      state: state ?? 'open',
      ...(verdict !== undefined && { verdict }),
    },
    slice: { limit: limit ?? 50, ...(after !== undefined && { after }) },
    done: done ?? null,
  };
}

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
