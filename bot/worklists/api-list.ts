/** One page of a list that api.php gives. In: what to ask, where to go on. Out: its answer and where to go on then. */
import { z } from 'zod';
import { TransientError } from '../../shared/errors.ts';
import type { Ask } from '../wiki.ts';
import { ListRefused, type Position } from './worklist.ts';

type Params = Parameters<Ask>[1];

/** Throws ListRefused where the API calls the question itself wrong, TransientError for every other error. */
export async function askList<T>(
  ask: Ask,
  schema: z.ZodType<T>,
  params: Params,
  position: Position | null,
  signal?: AbortSignal,
): Promise<{ answer: T; next: Position | null }> {
  const from = typeof position?.next === 'object' ? position.next : {};
  try {
    const answer = await ask(z.intersection(schema, Continued), { ...params, ...from }, signal);
    return { answer, next: answer.continue === undefined ? null : { next: answer.continue } };
  } catch (error) {
    throw refusalOf(error) ?? error;
  }
}

function refusalOf(error: unknown): ListRefused | null {
  if (!(error instanceof TransientError)) return null;
  const code = Coded.safeParse(error.cause).data?.code ?? '';
  if (!REFUSALS.test(code)) return null;
  const advice = code === 'invalidcategory' ? ': give a category, as in "Category:Mills"' : '';
  return new ListRefused('list_refused', `the wiki does not take this list (${code})${advice}`);
}

/** The API's own codes: https://www.mediawiki.org/wiki/API:Errors_and_warnings */
const REFUSALS =
  /^(invalid|bad|no)(category|title|user|value|user_)|^(baduser|badvalue|nosuchuser|cirrussearch-.*|search-.*)/;
const Coded = z.object({ code: z.string() });
const Continued = z.object({ continue: z.record(z.string(), z.union([z.string(), z.number()])).optional() });
