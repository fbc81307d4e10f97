/** How MariaDB says what Kysely writes for SQLite. In: a query. Out: its words. */
import {
  type AddColumnNode,
  type CreateIndexNode,
  type CreateTableNode,
  type DataTypeNode,
  type DropColumnNode,
  type DropIndexNode,
  type InsertQueryNode,
  MysqlQueryCompiler,
  type OnConflictNode,
  OrActionNode,
  RawNode,
  type ReferenceNode,
  TableNode,
} from 'kysely';

export class MariaDbCompiler extends MysqlQueryCompiler {
  /** `do nothing` is `insert ignore`. */
  protected override visitInsertQuery(node: InsertQueryNode): void {
    const { onConflict, ...insert } = node;
    if (onConflict?.doNothing) super.visitInsertQuery({ ...insert, orAction: OrActionNode.create('ignore') });
    else super.visitInsertQuery(node);
  }

  /** By any of its unique keys: MariaDB takes no name of one. Assignments hold from left to right. */
  protected override visitOnConflict({ updates, updateWhere, indexWhere }: OnConflictNode): void {
    if (updates === undefined || updateWhere !== undefined || indexWhere !== undefined) {
      throw new Error('MariaDB has no condition on what an upsert changes');
    }
    this.append('on duplicate key update ');
    this.compileList(updates);
  }

  /** `excluded.column`: what would have been inserted. */
  protected override visitReference(node: ReferenceNode): void {
    if (!isExcluded(node)) super.visitReference(node);
    else {
      this.append('values(');
      this.visitNode(node.column);
      this.append(')');
    }
  }

  // MariaDB commits each statement that defines something: a migration that was killed is run again, over what it did
  protected override visitCreateTable(node: CreateTableNode): void {
    const endModifiers = [...(node.endModifiers ?? []), RawNode.createWithSql(TABLE)];
    super.visitCreateTable({ ...node, ifNotExists: true, endModifiers });
  }

  protected override visitCreateIndex(node: CreateIndexNode): void {
    super.visitCreateIndex({ ...node, ifNotExists: true });
  }

  protected override visitDropIndex(node: DropIndexNode): void {
    super.visitDropIndex({ ...node, ifExists: true });
  }

  /** MariaDB's own JSON is text that it parses, and refuses where JSON.parse does not (half of a surrogate pair). */
  protected override visitDataType(node: DataTypeNode): void {
    if (node.dataType === 'json') this.append('longtext');
    else super.visitDataType(node);
  }

  protected override visitAddColumn({ column }: AddColumnNode): void {
    this.append('add column if not exists ');
    this.visitNode(column);
  }

  protected override visitDropColumn({ column }: DropColumnNode): void {
    this.append('drop column if exists ');
    this.visitNode(column);
  }
}

function isExcluded({ table }: ReferenceNode): boolean {
  return table !== undefined && TableNode.is(table) && table.table.identifier.name === 'excluded';
}

/** Text compares byte for byte, spaces at its end too, as in SQLite. */
const TABLE = 'engine=InnoDB row_format=dynamic default charset=utf8mb4 collate=utf8mb4_nopad_bin';
