/**
 * Which edits are worth a look: data, which `select.ts` applies. In: nothing, or a JSON file of one's own in this shape. Out:
 * rules. What a rule asks for and nobody tells does not hold.
 */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { RefuseToStart } from '../shared/errors.ts';
import { parseJson } from '../shared/json.ts';

/** Bytes, both ends included. */
const Range = z.strictObject({ from: z.int().optional(), to: z.int().optional() });

/** All that is named must hold; of a list, one. */
const Condition = z
  .strictObject({
    namespaces: z.array(z.int()),
    bot: z.boolean(),
    minor: z.boolean(),
    /** The edit made the page. */
    creates: z.boolean(),
    redirect: z.boolean(),
    /** https://www.mediawiki.org/wiki/Help:Tags */
    tags: z.array(z.string()),
    /** Who alone may edit the page: levels such as `sysop`. */
    protection: z.array(z.string()),
    /** By how much wikitext the page grew; negative: it shrank. */
    grew: Range,
    /** Wikitext after the edit. */
    size: Range,
  })
  .partial()
  .refine((condition) => Object.keys(condition).length > 0, 'names nothing');
export type Condition = z.infer<typeof Condition>;

const Rule = z.strictObject({
  /** Under which the edits are counted. */
  reason: z.string().regex(/^[a-z_]{1,40}$/),
  /** `skip`: as if it had not been made. `follow`: it brings nothing to verify, but the article's findings follow it. */
  outcome: z.enum(['skip', 'follow']),
  when: Condition,
  /** It undoes edits: what it takes away was reverted. */
  reverts: z.boolean().optional(),
});
export type Rule = z.infer<typeof Rule>;

export const Rules = z.strictObject({
  /** Namespaces of articles. Edits of all others are skipped, `namespace`. */
  articles: z.array(z.int()),
  /** The first that holds decides; an edit for which none does is checked. */
  rules: z.array(Rule),
});
export type Rules = z.infer<typeof Rules>;

export const DEFAULT_RULES: Rules = {
  articles: [0],
  rules: [
    { reason: 'draft', outcome: 'skip', when: { namespaces: [118] } },
    { reason: 'bot', outcome: 'skip', when: { bot: true } },
    /** What undid it comes after it. */
    { reason: 'reverted', outcome: 'skip', when: { tags: ['mw-reverted'] } },
    /** What a revert restores was there before (https://www.mediawiki.org/wiki/Manual:Reverts). */
    {
      reason: 'revert',
      outcome: 'follow',
      reverts: true,
      when: { tags: ['mw-rollback', 'mw-undo', 'mw-manual-revert'] },
    },
    { reason: 'redirect', outcome: 'follow', when: { redirect: true } },
    /** A page that only administrators edit: hardly anyone could use a better source. */
    { reason: 'protected', outcome: 'follow', when: { protection: ['sysop'] } },
    { reason: 'emptied', outcome: 'follow', when: { size: { to: 0 } } },
    /** Spelling and markup. Small alone is not enough: another year changes no byte. */
    { reason: 'minor', outcome: 'follow', when: { minor: true, grew: { from: -20, to: 20 } } },
  ],
};

/** Null: the default ones. Throws RefuseToStart naming what is wrong with the file. */
export async function readRules(file: string | null, { includeBots }: { includeBots: boolean }): Promise<Rules> {
  const rules = file === null ? DEFAULT_RULES : await parseFile(file);
  return includeBots ? { ...rules, rules: rules.rules.filter(({ when }) => when.bot !== true) } : rules;
}

async function parseFile(file: string): Promise<Rules> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new RefuseToStart(`EDIT_RULES: ${file} can't be read.`);
  });
  const json = parseJson(text);
  if (json === undefined) throw new RefuseToStart(`EDIT_RULES: ${file} is no JSON.`);
  const parsed = Rules.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new RefuseToStart(`EDIT_RULES: ${file}: ${issue?.path.map(String).join('.') || 'file'}: ${issue?.message}.`);
}
