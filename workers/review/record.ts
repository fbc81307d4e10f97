/**
 * A finding → its row. Doing it twice changes nothing, an older revision never overwrites a newer one, and what a person
 * decided stays decided unless the source changed (`stand.ts`). Out: the check of what stands in the claim's place, where
 * that came before the finding. Does not know which claims a revision has: see `reconcile.ts`.
 */
import type { Kysely, Selectable, Transaction } from 'kysely';
import { type ClosedBecause, Finding } from '../../shared/citation.ts';
import { hashCitations } from '../../shared/hash.ts';
import type { Next } from '../../shared/pipeline.ts';
import { parseHttpUrl } from '../../shared/url.ts';
import { type FindingTable, type Schema, writing } from './database.ts';
import { weigh } from './gain.ts';
import { absence, countChecked, findPage, type PageRow } from './page.ts';
import { positionOf } from './position.ts';
import { recheck } from './recheck.ts';
import { isFinal, isReopened, type State } from './stand.ts';

type FindingRow = Selectable<FindingTable>;

/** Throws only what the database throws; then nothing is changed and the job can be done again. */
export async function record(db: Kysely<Schema>, finding: Finding): Promise<Next[]> {
  return writing(db, async (trx) => {
    const rows = await sameAnchor(trx, finding);
    if (rows.some((row) => isNewer(row, finding))) return [];
    const page = await findPage(trx, finding.wiki, finding.page.id);
    const gone = absence(page, finding);
    const decided = rows.find(isDecided);
    const judged = titled(finding, page);
    if (decided === undefined) await recordOpen(trx, judged, rows, gone?.because ?? null);
    else if (gone === null && isReopened(decided, finding)) await reopen(trx, judged, rows);
    else await renew(trx, judged, decided);
    if (page !== undefined && rows.length === 0) await countChecked(trx, page, finding);
    if (decided !== undefined || page === undefined || gone === null || gone.into === null) return [];
    const { wiki, title, revision } = page;
    return recheck(trx, { wiki, page: { id: finding.page.id, title }, revision }, [gone.into]);
  });
}

async function sameAnchor(trx: Transaction<Schema>, finding: Finding): Promise<FindingRow[]> {
  return trx
    .selectFrom('findings')
    .selectAll()
    .where('wiki', '=', finding.wiki)
    .where('page_id', '=', finding.page.id)
    .where('claim_hash', '=', finding.claim.hash)
    .where('citations_hash', '=', hashCitations(finding.citations))
    .execute();
}

/** Its own model said so of a newer revision, or a person decided on a newer one. */
function isNewer(row: FindingRow, finding: Finding): boolean {
  return row.revision > finding.revision && (row.model === finding.model || isDecided(row));
}

function isDecided({ decision }: FindingRow): boolean {
  return isFinal(decision);
}

async function recordOpen(
  trx: Transaction<Schema>,
  finding: Finding,
  rows: readonly FindingRow[],
  gone: ClosedBecause | null,
): Promise<void> {
  const own = rows.find((row) => row.model === finding.model);
  const others = rows.filter((row) => row !== own);
  const isOutranked = outranked(finding, own, others);
  await save(trx, finding, own, stateOf(isOutranked ? 'superseded' : gone));
  if (!isOutranked) await supersede(trx, others);
}

/** Another model's finding is newer; or this one was superseded before and comes once more for the same revision. */
function outranked(finding: Finding, own: FindingRow | undefined, others: readonly FindingRow[]): boolean {
  const newest = Math.max(-1, ...others.map((row) => row.revision));
  return newest > finding.revision || (own?.closed_because === 'superseded' && newest === finding.revision);
}

/** Earlier decisions stay in the history, which is that of the claim and its citations, whatever the model. */
async function reopen(trx: Transaction<Schema>, finding: Finding, rows: readonly FindingRow[]): Promise<void> {
  const own = rows.find((row) => row.model === finding.model);
  const open = { ...stateOf(null), decision: null, decided_by: null };
  await save(trx, finding, own, { ...open, reopened_because: 'source_changed' });
  await supersede(
    trx,
    rows.filter((row) => row !== own),
  );
}

/** What was decided on stays as it was; a text on which the verdict was the same is one that is known. */
async function renew(trx: Transaction<Schema>, finding: Finding, decided: FindingRow): Promise<void> {
  if (decided.verdict !== finding.verdict) return;
  const before = Finding.parse(JSON.parse(decided.finding));
  const hashes = new Map(finding.citations.map(({ hash, contentHash }) => [hash, contentHash]));
  const citations = before.citations.map((citation) => {
    const contentHash = hashes.get(citation.hash) ?? citation.contentHash;
    return contentHash === undefined ? citation : { ...citation, contentHash };
  });
  const { suggestion, searched } = isAnswered(finding) ? finding : before;
  await save(trx, { ...before, revision: finding.revision, citations, suggestion, searched }, decided, {});
}

/** A page may have been moved since the revision that was judged. */
function titled(finding: Finding, page: PageRow | undefined): Finding {
  if (page === undefined || page.revision < finding.revision) return finding;
  return { ...finding, page: { ...finding.page, title: page.title } };
}

function stateOf(closedBecause: ClosedBecause | null): State {
  return { state: closedBecause === null ? 'open' : 'closed', closed_because: closedBecause };
}

async function save(
  trx: Transaction<Schema>,
  finding: Finding,
  own: FindingRow | undefined,
  changes: Partial<State & Pick<FindingRow, 'decision' | 'decided_by' | 'reopened_because'>>,
): Promise<void> {
  const kept = own === undefined ? finding : keepSearch(finding, own);
  const row = { ...columnsOf(kept, own), ...(await weigh(trx, kept)), ...changes };
  if (own === undefined) {
    const fresh = {
      ...stateOf(null),
      decision: null,
      reopened_because: null,
      deferrals: 0,
      created_at: row.updated_at,
    };
    const { id } = await trx
      .insertInto('findings')
      .values({ ...fresh, ...row })
      .returning('id')
      .executeTakeFirstOrThrow();
    await saveCitations(trx, id, finding);
  } else {
    await trx.updateTable('findings').set(row).where('id', '=', own.id).execute();
    await saveCitations(trx, own.id, finding);
  }
}

async function saveCitations(trx: Transaction<Schema>, id: number, { citations }: Finding): Promise<void> {
  await trx.deleteFrom('citations').where('finding_id', '=', id).execute();
  const distinct = new Map(citations.map((citation) => [citation.hash, citation]));
  if (distinct.size === 0) return;
  await trx
    .insertInto('citations')
    .values(
      [...distinct.values()].map(({ hash, reason, url }) => ({ finding_id: id, hash, reason, host: hostOf(url) })),
    )
    .execute();
}

/** Without `www.`; null for what is no address on the web. */
function hostOf(url: string | null): string | null {
  return (url === null ? null : parseHttpUrl(url))?.host.replace(/^www\./, '').slice(0, 255) ?? null;
}

function columnsOf(kept: Finding, own: FindingRow | undefined) {
  const now = new Date().toISOString();
  return {
    wiki: kept.wiki,
    page_id: kept.page.id,
    page_title: kept.page.title,
    revision: kept.revision,
    claim_hash: kept.claim.hash,
    citations_hash: hashCitations(kept.citations),
    model: kept.model,
    verdict: kept.verdict,
    score: kept.score,
    reason: kept.reason,
    finding: JSON.stringify(kept),
    position: positionOf(kept, own?.deferrals ?? 0),
    updated_at: now,
    judged_at: now,
  };
}

/**
 * A finding is recorded before its search and again after it, in any order: what was searched is not lost, nor by a later search
 * that no part of the corpus answered. Another revision or another verdict has a search of its own.
 */
function keepSearch(finding: Finding, own: FindingRow): Finding {
  const isOther = own.revision !== finding.revision || own.verdict !== finding.verdict;
  if (isAnswered(finding) || isOther) return finding;
  const { suggestion, searched } = Finding.parse(JSON.parse(own.finding));
  return { ...finding, suggestion, searched };
}

function isAnswered({ searched }: Finding): boolean {
  return searched !== null && searched.shardsAnswered > 0;
}

async function supersede(trx: Transaction<Schema>, others: readonly FindingRow[]): Promise<void> {
  const ids = others.map((row) => row.id);
  if (ids.length === 0) return;
  await trx
    .updateTable('findings')
    .set({ state: 'closed', closed_because: 'superseded', decision: null, decided_by: null })
    .where('id', 'in', ids)
    .execute();
}
