/**
 * Texts that people gave for sources that can't be fetched, in the sources' database and apart from all that was fetched. In: a
 * text or a PDF. Out: a readable source that says that it was given. Never listed: it joins no corpus and no export.
 */
import type { Kysely } from 'kysely';
import type { Citation, ReadableSource } from '../../shared/citation.ts';
import { RequestError } from '../../shared/errors.ts';
import { hashText } from '../../shared/hash.ts';
import { type Extract, extract as extractHere } from './extract/extract.ts';
import { fitsPacked, packText, unpackText } from './packed-text.ts';
import type { SourceTables } from './tables.ts';

/** `key`: what the source store knows it by; never the key of a page that was fetched. */
export interface GivenSource {
  key: string;
  source: ReadableSource;
}

export interface Given {
  /** By the citation's hash. */
  of(citationHash: string): Promise<GivenSource | null>;
  /** By its key. */
  get(key: string): Promise<ReadableSource | null>;
  /** Takes the place of what was given before. */
  put(citation: Pick<Citation, 'hash'>, source: ReadableSource): Promise<GivenSource>;
  /** False if nothing was given. */
  withdraw(citationHash: string): Promise<boolean>;
}

/** Bytes of what a person may give. */
export const MAX_GIVEN = { text: 2 * 1024 * 1024, pdf: 15 * 1024 * 1024 } as const;

/**
 * What was given → a readable source, extracted as a fetched page is. Throws RequestError: `too_large`, `unsupported_type` (no
 * text, PDF or HTML), `unreadable` (no text in it).
 */
export async function readGiven(
  citation: Pick<Citation, 'hash' | 'url' | 'title'>,
  { body, contentType }: { body: Buffer; contentType: string },
  now: number,
  extract: Extract = extractHere,
): Promise<ReadableSource> {
  const isPdf = body.subarray(0, 1024).includes('%PDF-');
  if (body.length > (isPdf ? MAX_GIVEN.pdf : MAX_GIVEN.text)) throw new RequestError('too_large', TOO_LARGE);
  if (!isPdf && body.includes(0)) throw new RequestError('unsupported_type', WRONG_TYPE);
  const extracted = await extract(body, contentType);
  if ('reason' in extracted) {
    if (extracted.reason === 'scanned_pdf') throw new RequestError('unreadable', SCANNED);
    if (extracted.reason === 'too_large') throw new RequestError('too_large', `It is too large: ${extracted.detail}.`);
    throw new RequestError('unsupported_type', WRONG_TYPE);
  }
  const { marks: _, ...read } = extracted;
  if (!/\p{L}/u.test(read.text)) throw new RequestError('unreadable', 'There is no text in it.');
  if (!(await fitsPacked(read.text))) throw new RequestError('too_large', TOO_LARGE);
  const url = citation.url ?? `urn:sidelight:given:${citation.hash}`;
  const title = read.title || (citation.title ?? '');
  const at = { url, finalUrl: url, fetchedAt: new Date(now).toISOString(), archivedAt: null };
  return { kind: 'readable', ...at, ...read, title, contentHash: hashText(read.text), given: true };
}

export function openGiven(db: Kysely<SourceTables>): Given {
  const find = async (key: string): Promise<ReadableSource | null> => {
    const row = await db.selectFrom('given_sources').select('body').where('key', '=', key).executeTakeFirst();
    // written below, and nowhere else
    return row === undefined ? null : (JSON.parse(await unpackText(row.body)) as ReadableSource);
  };
  return {
    get: find,
    async of(citationHash) {
      const key = keyOf(citationHash);
      const source = await find(key);
      return source === null ? null : { key, source };
    },
    async put({ hash }, source) {
      const key = keyOf(hash);
      const values = { body: await packText(JSON.stringify(source)), given_at: Date.parse(source.fetchedAt) };
      const row = { key, citation: hash, ...values };
      await db
        .insertInto('given_sources')
        .values(row)
        .onConflict((conflict) => conflict.column('key').doUpdateSet(values))
        .execute();
      return { key, source };
    },
    async withdraw(citationHash) {
      const { numDeletedRows } = await db
        .deleteFrom('given_sources')
        .where('key', '=', keyOf(citationHash))
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },
  };
}

function keyOf(citationHash: string): string {
  return hashText(`given ${citationHash}`);
}

const TOO_LARGE = 'It is too large: a text may have 2 MB, a PDF 15 MB.';
const WRONG_TYPE = 'It is no text, HTML or PDF file. Nothing else can be read.';
const SCANNED = 'It is a scanned PDF: there are only pictures of pages in it. Paste the text instead.';
