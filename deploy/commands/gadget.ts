/**
 * `sidelight gadget`: the gadget as a folder of files, or as pages of a wiki. `publish` with `dryRun` prints the difference of every
 * page that it would save, signs in nowhere and changes nothing.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { type Config, parseConfig } from '../../shared/config.ts';
import { RequestError } from '../../shared/errors.ts';
import { buildGadget } from '../gadget/build.ts';
import { openInterface } from '../gadget/editor.ts';
import { type PlannedPage, planPages, savePages } from '../gadget/publish.ts';
import { withSampleWiki } from '../local/sample-wiki.ts';
import { ACCOUNTS, apiLogin } from '../wiki/accounts.ts';
import { print } from './print.ts';

export interface PublishWish {
  /** Address of the review service; default: that of the settings. */
  service?: string;
  dryRun: boolean;
  /** For everybody, where the wiki has no such gadget yet. */
  default: boolean;
}

/** Throws RequestError for a service that is no https address, and with the wiki's code where it refuses. */
export async function publishGadgetOn(config: Config, wish: PublishWish): Promise<void> {
  const pages = await buildGadget(wish.service ?? config.review.url);
  const login = loginOf(config);
  if (!wish.dryRun && login === null) {
    throw new RequestError(
      'no_account',
      'no account is set: BOT_USERNAME and BOT_PASSWORD, of an interface administrator',
    );
  }
  await withSampleWiki(config, async ({ wiki }) => {
    const editor = await openInterface(wiki, wish.dryRun ? null : login);
    const options = { isDefault: wish.default, language: editor.language };
    const planned = await planPages(editor, pages, options);
    if (wish.dryRun) return print(plannedText(wiki.id, planned));
    await savePages(editor, planned);
    print(savedText(wiki.id, planned));
  });
}

export async function buildGadgetInto(
  config: Config,
  { out, service }: { out: string; service?: string },
): Promise<void> {
  const { script, style, languages } = await buildGadget(service ?? config.review.url);
  const texts = Object.entries(languages).map(([name, text]): [string, string] => [
    `Gadget-sidelight-${name}.js`,
    text,
  ]);
  const files: [string, string][] = [['Gadget-sidelight.js', script], ['Gadget-sidelight.css', style], ...texts];
  await mkdir(out, { recursive: true });
  for (const [name, text] of files) await writeFile(join(out, name), text);
  print(files.map(([name]) => join(out, name)).join('\n'));
}

/** The sample wiki's own administrator publishes there: the password is known to everybody. */
function loginOf({ bot, wiki }: Config): Config['bot']['login'] {
  if (bot.login !== null || wiki.origin !== parseConfig({}).wiki.origin) return bot.login;
  return { kind: 'bot_password', ...apiLogin(ACCOUNTS.admin) };
}

function plannedText(wiki: string, planned: readonly PlannedPage[]): string {
  if (planned.length === 0) return `${wiki} has all of it already.`;
  return [...planned.map(diffOf), 'Nothing was saved: without --dry-run it is.'].join('\n');
}

/** Pages have no line break at their end, and differences want one. */
function diffOf({ title, before, after }: PlannedPage): string {
  const [from, to] = [before === null ? '' : `${before}\n`, `${after}\n`];
  return createTwoFilesPatch(title, title, from, to, before === null ? 'no such page' : 'now', 'not saved');
}

function savedText(wiki: string, saved: readonly PlannedPage[]): string {
  if (saved.length === 0) return `${wiki} has all of it already.`;
  return saved.map(({ title }) => `${title}: saved`).join('\n');
}
