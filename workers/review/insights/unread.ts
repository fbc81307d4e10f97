/** Why cited pages could not be read, and at which hosts. A page that is cited for several claims counts for each. */
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../database.ts';
import type { Figure } from './figure.ts';

export async function unreadReasons(db: Kysely<Schema>): Promise<Figure> {
  const rows = await db
    .selectFrom('citations')
    .select('reason')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('reason', 'is not', null)
    .groupBy('reason')
    .orderBy('count', 'desc')
    .orderBy('reason')
    .execute();
  return {
    id: 'unread',
    title: 'Why sources could not be read',
    note: 'Citations by the reason why their page could not be read. None of this says anything about support.',
    columns: ['reason', 'citations'],
    rows: rows.map(({ reason, count }) => [reason, count]),
  };
}

export async function failingHosts(db: Kysely<Schema>): Promise<Figure> {
  const unread = sql<number>`SUM(CASE WHEN reason IS NULL THEN 0 ELSE 1 END)`;
  const rows = await db
    .selectFrom('citations')
    .select(['host', unread.as('unread')])
    .select(({ fn }) => fn.countAll<number>().as('cited'))
    .where('host', 'is not', null)
    .groupBy('host')
    .having(unread, '>', 0)
    .orderBy('unread', 'desc')
    .orderBy('host')
    .limit(HOSTS)
    .execute();
  return {
    id: 'hosts',
    title: 'Hosts that fail',
    note: `The ${HOSTS} hosts with most citations that could not be read, of all that were cited of them.`,
    columns: ['host', 'unread', 'cited'],
    rows: rows.map(({ host, unread: failed, cited }) => [host, Number(failed), cited]),
  };
}

const HOSTS = 20;
