/**
 * better-sqlite3 in the version that this Node can run: 12 ends a process of Node 24 at a collection of garbage
 * (https://github.com/JuliusBrussee/cavemem/issues/70), 13 is made for Node 22 and later.
 */
import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';

const name = Number.parseInt(process.versions.node, 10) >= 22 ? 'better-sqlite3-13' : 'better-sqlite3';

// both say the same of themselves: @types/better-sqlite3
export const Database = createRequire(import.meta.url)(name) as typeof BetterSqlite3;
export type Database = BetterSqlite3.Database;
