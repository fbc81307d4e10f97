/**
 * Fills the sample wiki and edits it as a person would. In: the wiki's API and an account with its bot password. Out: which pages changed.
 * Pages that are as they should be, and articles that somebody else has edited since, are left alone.
 */
import { Mwn } from 'mwn';
import { z } from 'zod';
import { loadWikiPages, type WikiPage } from './articles.ts';
import { type EditName, SAMPLE_EDITS } from './edits.ts';
import { onPort, SAMPLE_PORT } from './manifest.ts';

export interface WikiLogin {
  apiUrl: string;
  userAgent: string;
  /** `username`: `Admin@seed` for a bot password. */
  account: { username: string; password: string };
}

/**
 * Saves templates and articles with addresses on `port`. Returns the titles that were saved; a second call returns [].
 * Not for the account of the sample edits: what its own account has saved it sets back.
 */
export async function seedWiki(login: WikiLogin, { port = SAMPLE_PORT } = {}): Promise<string[]> {
  const bot = await signIn(login);
  const pages = await loadWikiPages(port);
  const saved = await readSaved(bot, pages);
  const wanted = pages.filter((page) => needsSaving(page, saved.get(page.title), nameOf(login)));
  for (const { title, text } of wanted) await bot.save(title, text, 'Sample page');
  await forgetRedLinks(bot, wanted);
  return wanted.map(({ title }) => title);
}

/** What was saved first was rendered before the pages that it links to were there. */
async function forgetRedLinks(bot: Mwn, pages: WikiPage[]): Promise<void> {
  if (pages.length > 0)
    await bot.request({ action: 'purge', forcelinkupdate: true, titles: pages.map(({ title }) => title) });
}

/** Makes one of the sample edits. Returns the new revision's id, or null where it has been made before. Throws if its place is gone. */
export async function editSample(
  login: WikiLogin,
  name: EditName,
  { port = SAMPLE_PORT } = {},
): Promise<number | null> {
  const bot = await signIn(login);
  const edit = SAMPLE_EDITS[name];
  const [find, replace] = [onPort(edit.find, port), onPort(edit.replace, port)];
  const current = (await readSaved(bot, [edit])).get(edit.title)?.text ?? '';
  if (current.includes(replace)) return null;
  if (!current.includes(find)) throw new Error(`sample edit ${name}: its place is not in "${edit.title}"`);
  const result = await bot.save(
    edit.title,
    current.replace(find, () => replace),
    edit.summary,
  );
  return result.newrevid ?? null;
}

async function signIn({ apiUrl, userAgent, account }: WikiLogin): Promise<Mwn> {
  const bot = await Mwn.init({ apiUrl, userAgent, ...account, silent: true });
  bot.setOptions({ suppressAPIWarnings: true });
  return bot;
}

interface Saved {
  text: string;
  user: string;
}

function needsSaving(page: WikiPage, saved: Saved | undefined, ownName: string): boolean {
  if (saved === undefined) return true;
  if (saved.text === page.text) return false;
  return saved.user === ownName || saved.user === INSTALLER;
}

/** Who wrote the main page of a wiki that was just installed. */
const INSTALLER = 'MediaWiki default';

function nameOf({ account }: WikiLogin): string {
  return account.username.replace(/@.*/, '');
}

const Answer = z.object({
  query: z.object({
    pages: z.array(
      z.object({
        title: z.string(),
        revisions: z
          .array(z.object({ user: z.string(), slots: z.object({ main: z.object({ content: z.string() }) }) }))
          .optional(),
      }),
    ),
  }),
});

async function readSaved(bot: Mwn, pages: { title: string }[]): Promise<Map<string, Saved>> {
  const titles = pages.map(({ title }) => title);
  const answer = Answer.parse(
    await bot.request({
      action: 'query',
      prop: 'revisions',
      rvprop: 'content|user',
      rvslots: 'main',
      titles,
      formatversion: 2,
    }),
  );
  const saved = new Map<string, Saved>();
  for (const { title, revisions } of answer.query.pages) {
    const latest = revisions?.[0];
    if (latest !== undefined) saved.set(title, { text: latest.slots.main.content, user: latest.user });
  }
  return saved;
}
