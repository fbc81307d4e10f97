/**
 * What "OpenAI-compatible" servers differ in, learnt from what they refuse. In: a dialect and the refusal of a request in it. Out:
 * the next dialect to try. Decides by status and by the parameter that the error names, never by its text.
 */
import { z } from 'zod';
import { parseJson } from '../../../shared/json.ts';

/** As strict as servers can be, first. `none`: the prompt alone asks for JSON. */
const FORMATS = ['json_schema', 'json_object', 'none'] as const;

const OPTIONAL = ['temperature', 'seed', 'max_tokens'] as const;
type Optional = (typeof OPTIONAL)[number];

export interface Dialect {
  format: (typeof FORMATS)[number];
  /** Parameters that this server or model does not take. */
  without: readonly Optional[];
}

export const FIRST_DIALECT: Dialect = { format: 'json_schema', without: [] };

export interface Refusal {
  status: number;
  body: string;
}

/** Null where nothing else is left to try, or the refusal is not about the form of the request. */
export function nextDialect(dialect: Dialect, { status, body }: Refusal): Dialect | null {
  if (!REFUSES_FORM.has(status)) return null;
  const name = parameterOf(body);
  const optional = OPTIONAL.find((known) => known === name);
  if (optional !== undefined) {
    return dialect.without.includes(optional) ? null : { ...dialect, without: [...dialect.without, optional] };
  }
  if (name !== null && !name.startsWith('response_format')) return null;
  const format = FORMATS[FORMATS.indexOf(dialect.format) + 1];
  return format === undefined ? null : { ...dialect, format };
}

/** The part of a request's body that depends on the dialect. */
export function toParameters({ format, without }: Dialect, schema: Record<string, unknown>): Record<string, unknown> {
  const parameters: Record<Optional, number> = { temperature: 0, seed: SEED, max_tokens: MAX_TOKENS };
  const taken = Object.entries(parameters).filter(([name]) => !without.some((refused) => refused === name));
  return {
    ...Object.fromEntries(taken),
    // models that think refuse `max_tokens` for this: https://platform.openai.com/docs/api-reference/chat/create
    ...(without.includes('max_tokens') && { max_completion_tokens: MAX_TOKENS }),
    ...toResponseFormat(format, schema),
  };
}

function toResponseFormat(format: Dialect['format'], schema: Record<string, unknown>): Record<string, unknown> {
  if (format === 'none') return {};
  if (format === 'json_object') return { response_format: { type: format } };
  return { response_format: { type: format, json_schema: { name: 'second_opinion', strict: true, schema } } };
}

/** Null where the error names none, as with most servers but OpenAI's. */
function parameterOf(body: string): string | null {
  const parsed = Problem.safeParse(parseJson(body));
  return parsed.success ? (parsed.data.error?.param ?? parsed.data.param ?? null) : null;
}

const Param = z.string().nullish();
const Problem = z.object({ error: z.object({ param: Param }).optional().catch(undefined), param: Param });

/** 500 and 501: from servers to which an unknown response format is an error of their own. */
const REFUSES_FORM: ReadonlySet<number> = new Set([400, 422, 500, 501]);
const SEED = 1;
/** Five quotes and a verdict are under 500; the rest is for models that think first. */
const MAX_TOKENS = 2000;
