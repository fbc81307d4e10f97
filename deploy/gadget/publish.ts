/** Puts the gadget on a wiki: its script, its style, its description and its line in MediaWiki:Gadgets-definition. */
import type { GadgetPages } from './build.ts';

/** What publishing needs of an account with interface-admin rights; `mwn` has it. */
export interface InterfaceEditor {
  /** Text of a page; null if there is none. */
  text(title: string): Promise<string | null>;
  save(title: string, text: string, summary: string): Promise<void>;
}

/** Pages that are as they should be are not saved again. */
export async function publishGadget(editor: InterfaceEditor, pages: GadgetPages): Promise<void> {
  const definition = (await editor.text(DEFINITIONS)) ?? '';
  const others = definition.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('* sidelight['));
  const wanted: [string, string][] = [
    ['MediaWiki:Gadget-sidelight.js', pages.script],
    ['MediaWiki:Gadget-sidelight.css', pages.style],
    [
      'MediaWiki:Gadget-sidelight',
      'Sidelight: marks claims whose citation may not support them, and offers better sources',
    ],
    [DEFINITIONS, [...others, LINE].join('\n')],
  ];
  for (const [title, text] of wanted) {
    if ((await editor.text(title))?.trim() !== text.trim()) await editor.save(title, text, SUMMARY);
  }
}

const DEFINITIONS = 'MediaWiki:Gadgets-definition';
const LINE = '* sidelight[ResourceLoader|default|dependencies=mediawiki.api,mediawiki.util]|sidelight.js|sidelight.css';
const SUMMARY = 'Publish the Sidelight gadget';
