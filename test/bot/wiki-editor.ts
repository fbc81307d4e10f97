/** What editors and administrators do on a test's wiki. */
import { Mwn } from 'mwn';
import { apiLogin } from '../../deploy/wiki/accounts.ts';
import type { Config } from '../../shared/config.ts';
import { parseConfig } from '../../shared/config.ts';
import type { TestWiki } from '../support/wiki.ts';

export interface Editor {
  /** Saves a page; the new revision's id. */
  save(title: string, text: string): Promise<number>;
  move(from: string, to: string): Promise<void>;
  delete(title: string): Promise<void>;
  /** Gives a deleted page back as it was. */
  restore(title: string): Promise<void>;
  /** Hides the text of a revision from the public. */
  hide(revision: number): Promise<void>;
  protect(title: string): Promise<void>;
  undo(title: string, revision: number): Promise<number>;
}

export async function signIn(wiki: TestWiki): Promise<Editor> {
  const { apiUrl, accounts } = wiki;
  const mwn = await Mwn.init({ apiUrl, ...apiLogin(accounts.admin), userAgent: 'test', silent: true });
  const token = mwn.csrfToken;
  return {
    save: async (title, text) => (await mwn.save(title, text)).newrevid ?? 0,
    move: async (from, to) => void (await mwn.move(from, to, '', { noredirect: true })),
    delete: async (title) => void (await mwn.delete(title, '')),
    restore: async (title) => void (await mwn.undelete(title, '')),
    hide: async (ids) =>
      void (await mwn.request({ action: 'revisiondelete', type: 'revision', ids, hide: 'content', token })),
    protect: async (title) => void (await mwn.request({ action: 'protect', title, protections: 'edit=sysop', token })),
    undo: async (title, undo) => (await mwn.request({ action: 'edit', title, undo, token })).edit.newrevid,
  };
}

export function configOf(wiki: TestWiki): Config['wiki'] {
  return parseConfig({ WIKI: wiki.origin }).wiki;
}
