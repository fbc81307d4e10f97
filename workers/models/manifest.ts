/** The models' own files. In: a folder with a manifest.json. Out: its files' bytes, checked by SHA-256, or a refusal to start. */
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
  const path = join(folder, 'manifest.json');
  const parsed = z.intersection(schema, z.object({ files: Files })).safeParse(parseJson(await readModelFile(path)));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new RefuseToStart(`${path} is no model manifest (${issue?.path.join('.')}: ${issue?.message}): ${RESTORE}`);
  }
  const manifest = parsed.data;
  return { manifest, read: (name) => readChecked(join(folder, name), manifest.files[name]) };
}

async function readChecked(path: string, expected: string | undefined): Promise<Buffer> {
  const bytes = await readModelFile(path);
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found === expected) return bytes;
  throw new RefuseToStart(`Model file ${path} is damaged (SHA-256 ${found}, not ${expected ?? 'in the manifest'}): ${RESTORE}`);
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
