/**
 * People who sign in, what they hold and what they say: users, sessions, tokens, leases, reasons of decisions, saved filters, opt-outs,
 * checks that were asked for, blind comparisons; and by what findings are chosen. Portable SQL: SQLite and MariaDB.
 */
import { type Kysely, sql } from 'kysely';
import { isMariaDb } from '../../../shared/sql.ts';
import { type Weighed, weightOf } from '../gain.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await createPeople(db);
  await createLeases(db);
  await changeDecisions(db);
  await changeFindings(db);
  await changeCitations(db);
  await indexFindings(db);
  await createPageFacts(db);
  await createChoices(db);
  await createChecks(db);
  await createBlind(db);
  await createChanges(db);
}

async function createPeople({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('users')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('wiki', 'varchar(255)', (column) => column.notNull())
    .addColumn('subject', 'varchar(64)', (column) => column.notNull())
    .addColumn('name', 'varchar(255)', (column) => column.notNull())
    .addColumn('groups', 'json', (column) => column.notNull())
    .addColumn('blocked', 'integer', (column) => column.notNull())
    .addColumn('signed_in_at', 'varchar(24)', (column) => column.notNull())
    .addColumn('asked_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('users_subject', ['wiki', 'subject'])
    .execute();
  await schema
    .createTable('sessions')
    .addColumn('id', 'varchar(64)', (column) => column.primaryKey())
    .addColumn('user_id', 'integer', (column) => column.references('users.id'))
    .addColumn('data', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('sessions_user').on('sessions').column('user_id').execute();
  await schema.createIndex('sessions_expiry').on('sessions').column('expires_at').execute();
  await schema
    .createTable('tokens')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id'))
    .addColumn('name', 'varchar(100)', (column) => column.notNull())
    .addColumn('hash', 'varchar(64)', (column) => column.notNull().unique())
    .addColumn('created_at', 'varchar(24)', (column) => column.notNull())
    .addColumn('used_at', 'varchar(24)')
    .addColumn('revoked_at', 'varchar(24)')
    .execute();
}

async function createLeases({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('leases')
    .addColumn('finding_id', 'integer', (column) => column.primaryKey().references('findings.id'))
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id'))
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('leases_user').on('leases').column('user_id').execute();
}

async function changeDecisions({ schema }: Kysely<unknown>): Promise<void> {
  // nobody could sign in before: it is empty
  await schema.alterTable('decisions').dropColumn('user').execute();
  await schema.alterTable('decisions').addColumn('user_id', 'integer').execute();
  await schema.alterTable('decisions').addColumn('reason', 'varchar(32)').execute();
  await schema.alterTable('decisions').addColumn('undone_at', 'varchar(24)').execute();
  await schema.alterTable('decisions').addColumn('judged', 'json').execute();
  await schema.alterTable('decisions').addColumn('undo_to', 'json').execute();
  await schema.createIndex('decisions_user').on('decisions').column('user_id').execute();
}

async function changeCitations({ schema }: Kysely<unknown>): Promise<void> {
  // known from the next look on: a host is counted, and no more
  await schema.alterTable('citations').addColumn('host', 'varchar(255)').execute();
  await schema.createIndex('citations_host').on('citations').columns(['host', 'reason']).execute();
}

async function changeFindings(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema.alterTable('findings').addColumn('decided_by', 'integer').execute();
  await schema.alterTable('findings').addColumn('views', 'integer').execute();
  await schema
    .alterTable('findings')
    .addColumn('has_suggestion', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await schema
    .alterTable('findings')
    .addColumn('gain', 'double precision', (column) => column.notNull().defaultTo(0))
    .execute();
  for (const [name, none] of [
    ['by_score', 2],
    ['by_views', -1],
  ] as const) {
    await schema
      .alterTable('findings')
      .addColumn(name, 'double precision', (column) => column.notNull().defaultTo(none))
      .execute();
  }
  await sql`UPDATE findings SET by_score = score WHERE score IS NOT NULL`.execute(db);
  await weighFindings(db);
  // it stands in the article until somebody mends it
  await sql`UPDATE findings SET state = 'accepted', closed_because = NULL WHERE decision = 'accept'
    AND closed_because = 'decided' AND verdict NOT IN ('supported', 'uncheckable', 'unsupported_language')`.execute(db);
}

/** Some findings at a time: there may be millions. No page's views are known yet. */
async function weighFindings(db: Kysely<unknown>): Promise<void> {
  for (let after = 0; ; ) {
    const { rows } = await sql<Row>`SELECT id, finding FROM findings WHERE id > ${after} ORDER BY id LIMIT 500`.execute(
      db,
    );
    for (const { id, finding } of rows) {
      // as any version that wrote it had it
      const weight = weightOf(JSON.parse(finding) as Weighed, null);
      await sql`UPDATE findings SET has_suggestion = ${weight.has_suggestion}, gain = ${weight.gain} WHERE id = ${id}`.execute(
        db,
      );
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

interface Row {
  id: number;
  finding: string;
}

/**
 * One for each order, with all by which a list is filtered: whatever is asked for, no row is read but those that are shown. A row
 * holds its whole finding, and to read a hundred thousand of them takes seconds. None begins with the state: SQLite would take
 * that one for every list, and sort.
 */
async function indexFindings(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  for (const name of ['findings_queue', 'findings_counts']) {
    // MariaDB's indexes have names of their table
    const index = schema.dropIndex(name);
    await (isMariaDb(db) ? index.on('findings') : index).execute();
  }
  const index = (name: string, first: readonly string[], others: readonly string[] = []) => {
    const rest = [...CHOSEN_BY, ...others].filter((column) => !first.includes(column));
    return schema
      .createIndex(`findings_${name}`)
      .on('findings')
      .columns([...first, ...rest])
      .execute();
  };
  for (const order of ['position', 'gain', 'by_score', 'by_views']) await index(order, [order, 'id']);
  await index('newest', ['created_at', 'id']);
  await index('verdict', ['verdict', 'state']);
  await index('group', ['wiki', 'page_id'], ['position', 'gain']);
  await schema.createIndex('pages_coverage').on('pages').columns(['wiki', 'claims', 'checked']).execute();
  // MariaDB's indexes have 3072 bytes for a row, which the longest title and wiki fill
  const sums = isMariaDb(db) ? [] : ['claims', 'checked'];
  await schema
    .createIndex('pages_title')
    .on('pages')
    .columns(['title', 'wiki', ...sums])
    .execute();
}

const CHOSEN_BY = [
  'wiki',
  'page_id',
  'state',
  'verdict',
  'by_score',
  'by_views',
  'has_suggestion',
  'reason',
  'decision',
  'decided_by',
  'created_at',
];

async function createPageFacts({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('page_facts')
    .addColumn('wiki', 'varchar(255)', (column) => column.notNull())
    .addColumn('page_id', 'integer', (column) => column.notNull())
    .addColumn('views', 'integer')
    .addColumn('read_at', 'varchar(24)', (column) => column.notNull())
    .addPrimaryKeyConstraint('page_facts_primary', ['wiki', 'page_id'])
    .execute();
  await schema
    .createTable('page_groups')
    .addColumn('wiki', 'varchar(191)', (column) => column.notNull())
    .addColumn('page_id', 'integer', (column) => column.notNull())
    .addColumn('kind', 'varchar(16)', (column) => column.notNull())
    .addColumn('name', 'varchar(255)', (column) => column.notNull())
    .addPrimaryKeyConstraint('page_groups_primary', ['wiki', 'page_id', 'kind', 'name'])
    .execute();
  await schema.createIndex('page_groups_name').on('page_groups').columns(['kind', 'name', 'wiki', 'page_id']).execute();
}

async function createChoices({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('saved_filters')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id'))
    .addColumn('name', 'varchar(100)', (column) => column.notNull())
    .addColumn('query', 'varchar(2000)', (column) => column.notNull())
    .addUniqueConstraint('saved_filters_name', ['user_id', 'name'])
    .execute();
  await schema
    .createTable('opt_outs')
    .addColumn('wiki', 'varchar(255)', (column) => column.notNull())
    .addColumn('page_id', 'integer', (column) => column.notNull())
    .addColumn('page_title', 'varchar(512)', (column) => column.notNull())
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id'))
    .addColumn('comment', 'text')
    .addColumn('created_at', 'varchar(24)', (column) => column.notNull())
    .addPrimaryKeyConstraint('opt_outs_primary', ['wiki', 'page_id'])
    .execute();
}

async function createChecks({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('checks')
    .addColumn('id', 'varchar(41)', (column) => column.primaryKey())
    .addColumn('kind', 'varchar(16)', (column) => column.notNull())
    .addColumn('wiki', 'varchar(255)', (column) => column.notNull())
    .addColumn('page_id', 'integer')
    .addColumn('page_title', 'varchar(512)')
    .addColumn('revision', 'bigint')
    .addColumn('claim', 'text')
    .addColumn('subject', 'varchar(16)', (column) => column.notNull())
    .addColumn('state', 'varchar(16)', (column) => column.notNull())
    .addColumn('reason', 'varchar(32)')
    .addColumn('claims', 'integer')
    .addColumn('found', 'json')
    .addColumn('created_at', 'varchar(24)', (column) => column.notNull())
    .addColumn('finished_at', 'varchar(24)')
    .execute();
  await schema.createIndex('checks_state').on('checks').columns(['state', 'subject']).execute();
  await schema
    .createTable('check_keys')
    .addColumn('check_id', 'varchar(41)', (column) => column.notNull().references('checks.id'))
    .addColumn('hash', 'varchar(64)', (column) => column.notNull())
    .addPrimaryKeyConstraint('check_keys_primary', ['check_id', 'hash'])
    .execute();
  await schema
    .createTable('check_claims')
    .addColumn('check_id', 'varchar(41)', (column) => column.notNull().references('checks.id'))
    .addColumn('claim_hash', 'varchar(16)', (column) => column.notNull())
    .addColumn('citations_hash', 'varchar(16)', (column) => column.notNull())
    .addPrimaryKeyConstraint('check_claims_primary', ['check_id', 'claim_hash', 'citations_hash'])
    .execute();
  await schema
    .createTable('feedback')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('check_id', 'varchar(41)', (column) => column.notNull().references('checks.id'))
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id'))
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('question', 'varchar(16)', (column) => column.notNull())
    .addColumn('answer', 'varchar(16)', (column) => column.notNull())
    .addColumn('row', 'json', (column) => column.notNull())
    .addColumn('created_at', 'varchar(24)', (column) => column.notNull())
    .execute();
  await schema.createIndex('feedback_check').on('feedback').columns(['check_id', 'user_id']).execute();
}

async function createBlind({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('blind_items')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('finding_id', 'integer', (column) => column.notNull().unique().references('findings.id'))
    .addColumn('finding', 'json', (column) => column.notNull())
    .addColumn('created_at', 'varchar(24)', (column) => column.notNull())
    .execute();
  await schema
    .createTable('blind_judgements')
    .addColumn('item_id', 'integer', (column) => column.notNull().references('blind_items.id'))
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id'))
    .addColumn('first', 'varchar(16)', (column) => column.notNull())
    .addColumn('cited', 'varchar(16)', (column) => column.notNull())
    .addColumn('suggested', 'varchar(16)', (column) => column.notNull())
    .addColumn('preferred', 'varchar(16)', (column) => column.notNull())
    .addColumn('created_at', 'varchar(24)', (column) => column.notNull())
    .addPrimaryKeyConstraint('blind_judgements_primary', ['item_id', 'user_id'])
    .execute();
}

/** Each finding once, under the number of its last change: by that, who listens goes on where it was. */
async function createChanges(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('finding_changes')
    .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('finding_id', 'integer', (column) => column.notNull().unique())
    .execute();
  // MariaDB runs a migration again that was killed
  const [again, anew] = isMariaDb(db) ? [sql`IGNORE`, sql`OR REPLACE`] : [sql``, sql``];
  await sql`CREATE ${anew} TRIGGER findings_added AFTER INSERT ON findings FOR EACH ROW BEGIN
    INSERT INTO finding_changes (finding_id) VALUES (NEW.id);
    END`.execute(db);
  // whoever wrote it, a command too; its place in the queue alone is no change
  await sql`CREATE ${anew} TRIGGER findings_changed AFTER UPDATE ON findings FOR EACH ROW BEGIN
    DELETE FROM finding_changes WHERE finding_id = NEW.id AND ${isChange};
    INSERT INTO finding_changes (finding_id) SELECT id FROM findings WHERE id = NEW.id AND ${isChange};
    END`.execute(db);
  // after the triggers: what others add meanwhile is numbered by one of both
  await sql`INSERT ${again} INTO finding_changes (finding_id) SELECT id FROM findings ORDER BY id`.execute(db);
}

const isChange = sql`(OLD.state <> NEW.state OR OLD.finding <> NEW.finding
  OR COALESCE(OLD.decision, '') <> COALESCE(NEW.decision, '')
  OR COALESCE(OLD.closed_because, '') <> COALESCE(NEW.closed_because, '')
  OR COALESCE(OLD.reopened_because, '') <> COALESCE(NEW.reopened_because, ''))`;
