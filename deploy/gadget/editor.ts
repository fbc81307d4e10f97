/** Pages of a wiki's interface, read and saved over mwn. In: the wiki, an account with interface-admin rights, or none to read only. */
import { Mwn } from 'mwn';
import type { BotSettings, Config } from '../../shared/config.ts';
import { RequestError, TransientError } from '../../shared/errors.ts';
import type { InterfaceEditor } from './publish.ts';

export interface WikiInterface extends InterfaceEditor {
  /** Of the wiki's content. */
  language: string;
}

/** Throws RequestError with the API's code for what the wiki refuses, TransientError if it does not answer. */
export async function openInterface(
  { apiUrl, userAgent }: Pick<Config['wiki'], 'apiUrl' | 'userAgent'>,
  login: BotSettings['login'],
): Promise<WikiInterface> {
  const mwn = new Mwn({ apiUrl, userAgent, silent: true, suppressAPIWarnings: true, maxRetries: 0 });
  if (login !== null) await signIn(mwn, login).catch(fail);
  const asked = await mwn.query({ meta: 'siteinfo', siprop: 'general' }).catch(fail);
  const general = asked.query?.general as { lang?: string } | undefined; // of siprop=general
  return {
    language: general?.lang ?? 'en',
    async text(title) {
      const page = await mwn.read(title, { rvprop: ['content'] }).catch(fail);
      return page.revisions?.[0]?.content ?? null;
    },
    async save(title, text, summary) {
      await mwn.save(title, text, summary).catch(fail);
    },
  };
}

async function signIn(mwn: Mwn, login: NonNullable<BotSettings['login']>): Promise<void> {
  if (login.kind === 'oauth') {
    mwn.setOptions({ OAuth2AccessToken: login.token });
    mwn.initOAuth();
    await mwn.getTokensAndSiteInfo();
  } else {
    mwn.setOptions({ username: login.username, password: login.password });
    await mwn.login();
  }
}

/** Without a cause: mwn's errors carry the request, and with it the password or token. */
function fail(error: unknown): never {
  const { code, response } = error as { code?: string; response?: unknown }; // mwn rejects with what axios or the API gave
  if (code === undefined || response === undefined)
    throw new TransientError(`the wiki does not answer (${code ?? '?'})`);
  const advice = RIGHTS.test(code) ? ': the account needs the rights of an interface administrator' : '';
  throw new RequestError(code, `the wiki refuses (${code})${advice}`);
}

const RIGHTS = /protected|permission|denied/;
