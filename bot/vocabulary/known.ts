/** What was read of a wiki's vocabulary, as it is kept between runs: one small JSON file a wiki. Reads and writes that; asks no wiki. */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { BUNDLED } from './bundled.ts';
import { ENGLISH_PARAMETERS } from './families.ts';
import { Meaning, type Parameters, Role, type Vocabulary } from './vocabulary.ts';

/** Times in ms since 1970. */
export const Known = z.object({
  /** Of `names`; 0: never. */
  readAt: z.number(),
  /** Names of templates that the wiki has; null: another thing there than elsewhere. */
  names: z.record(z.string(), Meaning.nullable()),
  /** Whether the wiki can say what parameters of templates mean. */
  templateData: z.boolean(),
  /** Citation templates that were asked for; roles null: the wiki says nothing of them. */
  templates: z.record(
    z.string(),
    z.object({ readAt: z.number(), roles: z.partialRecord(Role, z.array(z.string())).nullable() }),
  ),
});
export type Known = z.infer<typeof Known>;

export interface KnownStore {
  /** Null if there is nothing that can be used. */
  load(): Promise<Known | null>;
  save(known: Known): Promise<void>;
}

export function createKnownFile(path: string): KnownStore {
  return {
    async load() {
      const text = await readFile(path, 'utf8').catch(() => null);
      return text === null ? null : parseKnown(text);
    },
    async save(known) {
      await mkdir(dirname(path), { recursive: true });
      const unfinished = `${path}.${randomUUID()}`;
      await writeFile(unfinished, JSON.stringify(known));
      await rename(unfinished, path);
    },
  };
}

function parseKnown(text: string): Known | null {
  try {
    return Known.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** What the wiki says comes first; where it says nothing, what is bundled. */
export function toVocabulary({ names, templates }: Known): Vocabulary {
  const meanings = new Map(Object.entries(names));
  const parameters = new Map<string, Parameters>();
  for (const [name, { roles }] of Object.entries(templates)) {
    if (roles !== null) parameters.set(name, withEnglish(roles));
  }
  return {
    meaningOf(name) {
      const meaning = meanings.get(name);
      return meaning === undefined ? BUNDLED.meaningOf(name) : meaning;
    },
    parametersOf: (name) => parameters.get(name) ?? ENGLISH_PARAMETERS,
  };
}

function withEnglish(roles: Partial<Record<Role, string[]>>): Parameters {
  const merged = { ...ENGLISH_PARAMETERS };
  for (const role of Role.options) merged[role] = [...new Set([...(roles[role] ?? []), ...ENGLISH_PARAMETERS[role]])];
  return merged;
}
