/** What the gadget is on a wiki, page by page. In: the built gadget, what the wiki has. Out: the pages that change; or they are saved. */
import { CONFIG_PAGE, defaultsFor } from '../../gadget/site-config.ts';
import type { GadgetPages } from './build.ts';

/** What publishing needs of an account with interface-admin rights; `mwn` has it. */
export interface InterfaceEditor {
  /** Text of a page; null if there is none. */
  text(title: string): Promise<string | null>;
  save(title: string, text: string, summary: string): Promise<void>;
}

export interface PublishOptions {
  /** For everybody, where the wiki has no such gadget yet; else its people choose it in their preferences. */
  isDefault: boolean;
  /** Of the wiki's content. */
  language: string;
}

export interface PlannedPage {
  title: string;
  /** Null: there is none. */
  before: string | null;
  after: string;
}

/** Pages that are as they should be are not saved again. */
export async function publishGadget(
  editor: InterfaceEditor,
  pages: GadgetPages,
  options: PublishOptions = { isDefault: true, language: 'en' },
): Promise<void> {
  await savePages(editor, await planPages(editor, pages, options));
}

export async function savePages(
  { save }: Pick<InterfaceEditor, 'save'>,
  planned: readonly PlannedPage[],
): Promise<void> {
  for (const { title, after } of planned) await save(title, after, SUMMARY);
}

/** Only those that change, in the order in which they are saved: the definition comes last, so that nobody loads half of it. */
export async function planPages(
  { text }: Pick<InterfaceEditor, 'text'>,
  pages: GadgetPages,
  options: PublishOptions,
): Promise<PlannedPage[]> {
  const definitions = (await text(DEFINITIONS)) ?? '';
  const languages = Object.keys(pages.languages);
  const wanted: [string, string][] = [
    ['MediaWiki:Gadget-sidelight.js', pages.script],
    ['MediaWiki:Gadget-sidelight.css', pages.style],
    ['MediaWiki:Gadget-sidelight', DESCRIPTION],
    ...languages.map((name): [string, string] => [
      `MediaWiki:Gadget-sidelight-${name}.js`,
      pages.languages[name] ?? '',
    ]),
    ...((await text(CONFIG_PAGE)) === null ? [[CONFIG_PAGE, firstConfig(options.language)] as [string, string]] : []),
    [DEFINITIONS, defineIn(definitions, languages, options)],
  ];
  const planned: PlannedPage[] = [];
  for (const [title, after] of wanted) {
    const before = await text(title);
    if (before?.trim() !== after.trim()) planned.push({ title, before, after });
  }
  return planned;
}

/** Our lines stand where they stood, else at the end; all others stay as they are. Whether it is on by default is the wiki's to say. */
export function defineIn(definitions: string, languages: readonly string[], { isDefault }: PublishOptions): string {
  const lines = definitions.split('\n');
  const own = lines.filter((line) => OWN.test(line));
  const options = /\[([^\]]*)\]/.exec(own.filter((line) => line.startsWith('* sidelight['))[0] ?? '')?.[1] ?? null;
  const wanted = [lineOf(options, isDefault), ...languages.map(languageLine)];
  const at = lines.findIndex((line) => OWN.test(line));
  const others = lines.filter((line) => !OWN.test(line));
  if (at >= 0) return [...others.slice(0, at), ...wanted, ...others.slice(at)].join('\n');
  const before = definitions.trimEnd();
  return `${before}${before === '' ? '' : '\n'}${wanted.join('\n')}`;
}

/** `options`: as the wiki has them; only what the script needs is seen to. */
function lineOf(options: string | null, isDefault: boolean): string {
  const kept = (options ?? (isDefault ? 'ResourceLoader|default' : 'ResourceLoader'))
    .split('|')
    .map((one) => one.trim());
  const others = kept.filter((one) => !one.startsWith('dependencies') && one !== 'ResourceLoader' && one !== '');
  return `* sidelight[${['ResourceLoader', ...others, DEPENDENCIES].join('|')}]|sidelight.js|sidelight.css`;
}

/** Loaded by the gadget itself, for readers of that language. */
function languageLine(language: string): string {
  return `* sidelight-${language}[ResourceLoader|hidden]|sidelight-${language}.js`;
}

/** What wikis most often want otherwise, as it is by default. */
function firstConfig(language: string): string {
  const { templates, templateByType, dates, summaries, reasons, changeTag } = defaultsFor(language);
  const { failedVerification, citation } = templates;
  const json = { templates: { failedVerification, citation }, templateByType, dates, summaries, reasons, changeTag };
  return JSON.stringify(json, null, '\t');
}

const DEFINITIONS = 'MediaWiki:Gadgets-definition';
const DESCRIPTION = 'Sidelight: marks claims whose citation may not support them, and offers better sources';
const OWN = /^\* sidelight(-\w+)?\[/;
const DEPENDENCIES = 'dependencies=mediawiki.api,mediawiki.storage,mediawiki.util';
const SUMMARY = 'Publish the Sidelight gadget';
