/** Tables of the sources' database, as types. Those of responses, which each host has for itself, stand beside their verbs. */
import type { Generated } from 'kysely';
import type { Health } from './health.ts';

export interface SourceTables {
  sources: SourceTable;
  source_texts: SourceTextTable;
  given_sources: GivenSourceTable;
  links: LinkTable;
}

export interface SourceTable {
  /** Hash of the canonical URL. */
  key: string;
  /** In the order in which pages were first put. */
  position: Generated<number>;
  /** Null: it could not be read. */
  content_hash: string | null;
  /** A `Source` without its text, as JSON. */
  source: string;
  /** ms */
  fetched_at: number;
}

export interface SourceTextTable {
  hash: string;
  /** `packText` */
  body: Buffer;
  /** A person decided on it: it stays. */
  kept: Generated<0 | 1>;
  /** Since when no page has it any more, ms; null: one has it, or it is kept. */
  loose_at: number | null;
}

export interface GivenSourceTable {
  key: string;
  /** Hash. */
  citation: string;
  /** A `ReadableSource` as JSON: `packText`. */
  body: Buffer;
  /** ms */
  given_at: number;
}

export interface LinkTable {
  /** Hash of the canonical URL, or of the address of an archived copy. */
  key: string;
  url: string;
  /** A `Health` as JSON. */
  health: string;
  /** Its state, or that a person said something of it. */
  state: Health['state'] | 'corrected';
  /** ms; 0: never. */
  looked_at: number;
  /** ms; null: it need not be looked at again. */
  due_at: number | null;
  /** ms; 0: never. */
  said_at: number;
  /** Goes up with each change: who has read an older one can't overwrite it. */
  version: number;
}
