/** Claims that stand in the place of others now → the jobs that check them. What has a finding already is left out. */
import type { Kysely } from 'kysely';
import type { Anchor, Input, Next } from '../../shared/pipeline.ts';
import type { Schema } from './database.ts';
import { keyOf } from './gone.ts';

type Place = Pick<Input<'articles'>, 'wiki' | 'page' | 'revision'>;

/** Nobody asked for it: the job has no request, and one id for the same claims of the same revision. */
export async function recheck(db: Kysely<Schema>, at: Place, claims: readonly Anchor[]): Promise<Next[]> {
  if (claims.length === 0) return [];
  const { wiki, page, revision } = at;
  const found = await db
    .selectFrom('findings')
    .select(['claim_hash as claim', 'citations_hash as citations'])
    .where((row) => row.and({ wiki, page_id: page.id }))
    .execute();
  const known = new Set(found.map(keyOf));
  const unknown = new Map(claims.filter((claim) => !known.has(keyOf(claim))).map((claim) => [keyOf(claim), claim]));
  const chosen = [...unknown.values()].map(({ claim, citations }) => ({ claim, citations }));
  const parts = Array.from({ length: Math.ceil(chosen.length / CLAIMS_A_JOB) }, (_, part) =>
    chosen.slice(part * CLAIMS_A_JOB, (part + 1) * CLAIMS_A_JOB),
  );
  const asked = { wiki, page, revision, previous: null, scope: 'chosen' as const };
  return parts.map((some) => ({ stage: 'articles', input: { ...asked, chosen: some } }));
}

/** As many as its schema takes. */
const CLAIMS_A_JOB = 1000;
