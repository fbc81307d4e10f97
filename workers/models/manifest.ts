/** The models' own files. In: a folder with manifest.json, or a JSON file. Out: checked contents, or a refusal to start. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { RefuseToStart } from '../../shared/errors.ts';

/** File name → SHA-256 in hexadecimal. */
const Files = z.record(z.string().regex(/^[\w.-]+$/), z.string().regex(/^[0-9a-f]{64}$/));

export interface ModelFiles<T> {
  manifest: T & { files: Record<string, string> };
  /** The bytes of a file that the manifest names. Throws RefuseToStart if it is missing or not what the manifest says. */
  read(name: string): Promise<Buffer>;
}

/** Throws RefuseToStart, one line, for a folder without manifest or with one that `schema` does not accept. */
export async function openModel<T>(folder: string, schema: z.ZodType<T>): Promise<ModelFiles<T>> {
  const manifest = await readModelJson(
    join(folder, 'manifest.json'),
    z.intersection(schema, z.object({ files: Files })),
  );
  return { manifest, read: (name) => readChecked(join(folder, name), manifest.files[name]) };
}

/** Throws RefuseToStart, one line that names the field, for a file that is missing or that `schema` does not accept. */
export async function readModelJson<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const parsed = schema.safeParse(parseJson(await readModelFile(path)));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new RefuseToStart(`Model file ${path} is damaged (${issue?.path.join('.')}: ${issue?.message}): ${RESTORE}`);
}

async function readChecked(path: string, expected: string | undefined): Promise<Buffer> {
  const bytes = await readModelFile(path);
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found === expected) return bytes;
  throw new RefuseToStart(
    `Model file ${path} is damaged (SHA-256 ${found}, not ${expected ?? 'in the manifest'}): ${RESTORE}`,
  );
}

async function readModelFile(path: string): Promise<Buffer> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new RefuseToStart(`Model file ${path} can't be read (${error.code}): ${RESTORE}`);
  });
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

const RESTORE = 'restore it with `git checkout workers/models`, or set MODELS_DIR.';
