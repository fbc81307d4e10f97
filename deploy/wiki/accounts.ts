/** The accounts of the sample wiki and of the wikis of tests. Known to everybody: such a wiki listens on loopback only. */

export interface Account {
  name: string;
  /** For people, at Special:UserLogin. */
  password: string;
  groups: readonly string[];
  /** For programs: a bot password (https://www.mediawiki.org/wiki/Manual:Bot_passwords), at least 32 of 0-9 and a-w. */
  bot: { app: string; password: string; grants: readonly string[] };
}

/** What `action=login`, and so mwn, takes. */
export function apiLogin(account: Account): { username: string; password: string } {
  return { username: `${account.name}@${account.bot.app}`, password: account.bot.password };
}

const EDIT = ['basic', 'highvolume', 'editpage', 'createeditmovepage', 'editmyoptions'] as const;
const INTERFACE = [
  'editprotected',
  'editinterface',
  'editsiteconfig',
  'delete',
  'protect',
  'rollback',
  'blockusers',
] as const;

export const ACCOUNTS = {
  /** Writes the sample articles and the sample edits. */
  editor: account('Alice', [], EDIT),
  /** Reads, opens the gadget and uses sources. */
  reader: account('Bob', [], EDIT),
  /** Reads for the bot, marked as one. */
  bot: account('SidelightBot', ['bot'], EDIT),
  /** Installs the gadget. */
  admin: account('Admin', ['sysop', 'bureaucrat', 'interface-admin'], [...EDIT, ...INTERFACE]),
} as const;

function account(name: string, groups: readonly string[], grants: readonly string[]): Account {
  const secret = `${name.toLowerCase()}onloopback`;
  return { name, password: secret, groups, bot: { app: 'sidelight', password: secret.padEnd(32, '0'), grants } };
}
