/**
 * Saves a page as a well-behaved bot does. In: a title, and a function that makes the new text of the old one. Out: what came of
 * it, as a code. Every try begins anew: read the page and the switch page, check place, switch and exclusion, compose, save.
 */
import type { BotSettings, Config } from '../../shared/config.ts';
import type { Logger } from '../../shared/logger.ts';
import { ApiFailure, type Connection, createConnection } from './connection.ts';
import { BOTS, NOBOTS, whyExcluded } from './exclusion.ts';
import { type Again, meaningOf, type Refusal, refuse, type WriteOutcome } from './outcome.ts';
import { type PageText, type Read, readPage } from './page-text.ts';
import { whyNotWritable } from './places.ts';
import { readSite, type Site } from './site.ts';
import { isSwitchedOn } from './switch.ts';
import { CLOCK, type Clock, openTurns, type Turn } from './turn.ts';

export interface Composed {
  kind: 'composed';
  text: string;
  summary: string;
}

export interface Means {
  site: Site;
  /** Parts of addresses that the wiki does not let be linked; '' stands for any. */
  unlinkable: ReadonlySet<string>;
}

/** Called on every try: it must not rely on what it was given before. */
export type Compose = (page: PageText, means: Means) => Promise<Composed | Refusal> | Composed | Refusal;

export interface Prepared extends Composed {
  page: PageText;
}

export interface Writer {
  /** What `save` would do now; signs in nowhere and changes nothing. Throws ApiFailure. */
  prepare(title: string, compose: Compose, signal?: AbortSignal): Promise<Prepared | Refusal>;
  /** Rejects only when it is aborted, or for a bug. */
  save(title: string, compose: Compose, signal?: AbortSignal): Promise<WriteOutcome>;
}

export interface WriterOptions {
  wiki: Config['wiki'];
  bot: BotSettings;
  log: Logger;
  clock?: Clock;
  /** Names of templates that `compose` asks `site.isTemplate` about. */
  templates?: readonly string[];
}

export function createWriter({ wiki, bot, log, clock = CLOCK, templates = [] }: WriterOptions): Writer {
  const prepareOver = preparing(bot, [BOTS, NOBOTS, ...templates]);
  return {
    prepare: (title, compose, signal) =>
      prepareOver(createConnection(wiki, bot), title, { compose, unlinkable: new Set(), signal }),
    async save(title, compose, signal) {
      if (bot.login === null) return refuse('sign_in_failed', 'no account is set: BOT_USERNAME and BOT_PASSWORD');
      const turns = openTurns(bot.turnsFile, clock);
      let turn: Turn | null = null;
      try {
        turn = await turns.take(`${wiki.id}/${bot.name}`, signal);
        if (turn === null) return refuse('another_writer', `another process is writing as ${bot.name}`);
        const connection = createConnection(wiki, bot);
        return await saveInTurn({ connection, turn, bot, log, clock, prepareOver, title, compose, signal });
      } finally {
        turn?.release();
        turns.close();
      }
    },
  };
}

interface Wish {
  compose: Compose;
  unlinkable: ReadonlySet<string>;
  signal: AbortSignal | undefined;
}

type Prepare = (connection: Connection, title: string, wish: Wish) => Promise<Prepared | Refusal>;

/** Where, whether and what may be written, in that order. */
function preparing(bot: BotSettings, templates: readonly string[]): Prepare {
  let known: Site | null = null;
  return async (connection, title, { compose, unlinkable, signal }) => {
    const site = known ?? (await readSite(connection, templates, signal));
    known = site;
    const read = await readPage(connection, title, bot.switchPage, signal);
    if ('kind' in read) return read;
    const page = permitted(read, site, bot);
    if ('kind' in page) return page;
    const composed = await compose(page, { site, unlinkable });
    return composed.kind === 'refused' ? composed : { ...composed, page };
  };
}

function permitted({ place, page, switchText }: Read, site: Site, bot: BotSettings): PageText | Refusal {
  const forbidden = whyNotWritable(page ?? place, site, bot.name);
  if (forbidden !== null) return forbidden;
  if (!isSwitchedOn(switchText)) return refuse('switched_off', bot.switchPage ?? '');
  if (page === null) return refuse('missing_page', place.title);
  const excluded = whyExcluded(page.templates, bot.name === null ? [PROGRAM] : [bot.name, PROGRAM], site);
  return excluded === null ? page : refuse('excluded', `${page.title} has ${excluded}`);
}

interface Saving extends Pick<WriterOptions, 'bot' | 'log'> {
  connection: Connection;
  turn: Turn;
  clock: Clock;
  prepareOver: Prepare;
  title: string;
  compose: Compose;
  signal: AbortSignal | undefined;
}

async function saveInTurn(saving: Saving): Promise<WriteOutcome> {
  const unlinkable = new Set<string>();
  let again: Again = 'signed_in_anew';
  for (let tries = 1; ; tries++) {
    try {
      await getReady(saving, again);
      return await tryToSave(saving, unlinkable);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      saving.log.info({ code: error.code, tries }, 'the page is not saved');
      const meaning = meaningOf(error.code);
      const isHopeless = isTriedOut(meaning.again, { again, tries, unlinkable });
      if (meaning.again === undefined || isHopeless || tries === TRIES) return refuse(meaning.code, error.code);
      await mend(meaning.again, { error, tries, unlinkable, saving });
      // a sign-in that did not come through is still to be made
      if (again !== 'signed_in_anew' || meaning.again !== 'later') again = meaning.again;
    }
  }
}

/** What a second time does not mend: signing in, another token, a page without any link. */
function isTriedOut(next: Again | undefined, tried: { again: Again; tries: number; unlinkable: Set<string> }): boolean {
  if (next === 'without_links') return tried.unlinkable.has(ANY);
  return next === tried.again && tried.tries > 1 && (next === 'signed_in_anew' || next === 'with_new_token');
}

interface Trouble {
  error: ApiFailure;
  tries: number;
  unlinkable: Set<string>;
  saving: Saving;
}

async function mend(again: Again, { error, tries, unlinkable, saving }: Trouble): Promise<void> {
  if (again === 'without_links') forgo(unlinkable, error.matches);
  if (again === 'later') await waitAfter(error, tries, saving);
}

async function getReady({ connection, signal }: Saving, again: Again): Promise<void> {
  if (again === 'signed_in_anew') await connection.signIn(signal);
  if (again === 'with_new_token') await connection.renewToken();
}

async function tryToSave(saving: Saving, unlinkable: ReadonlySet<string>): Promise<WriteOutcome> {
  const { connection, turn, clock, bot, title, compose, signal } = saving;
  for (;;) {
    const prepared = await saving.prepareOver(connection, title, { compose, unlinkable, signal });
    if (prepared.kind === 'refused') return prepared;
    const { page, text, summary } = prepared;
    if (text === page.text) return { kind: 'unchanged', title: page.title };
    const pause = turn.untilEdit(bot.editIntervalMs);
    if (pause === null) return refuse('another_writer', `another process took the turn of ${bot.name}`);
    if (pause === 0) {
      turn.edits();
      const { edit } = await connection.edit({ title: page.title, baserevid: page.revision, text, summary }, signal);
      return { kind: 'saved', title: page.title, revision: edit.newrevid ?? page.revision, summary };
    }
    await clock.wait(pause, signal); // and look again: the page may have changed meanwhile
  }
}

/** First the links that were named; where that does not help, all. */
function forgo(unlinkable: Set<string>, matches: readonly string[]): void {
  const named = matches.filter((match) => !unlinkable.has(match));
  for (const match of named.length === 0 ? [ANY] : named) unlinkable.add(match);
}

/** As long as the server says, else longer each time (https://www.mediawiki.org/wiki/API:Etiquette). */
async function waitAfter({ retryAfterMs }: ApiFailure, tries: number, { clock, signal }: Saving): Promise<void> {
  const ms = Math.max(retryAfterMs ?? 0, FIRST_WAIT_MS * 2 ** (tries - 1));
  await clock.wait(Math.min(ms, LONGEST_WAIT_MS), signal);
}

/** What lists in {{bots}} may call it, whatever its account is called. */
const PROGRAM = 'Sidelight';
const ANY = '';
const TRIES = 6;
const FIRST_WAIT_MS = 5000;
const LONGEST_WAIT_MS = 5 * 60_000;
