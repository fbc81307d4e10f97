/**
 * The vocabulary of a wiki, read from the wiki and kept. In: the templates of a page's references. Out: the vocabulary to read that
 * page with. Names and parameters are asked for once a day; while the wiki is away the last known ones are used, bundled ones before
 * anything was read. Never throws: a page is read with what there is.
 */
import type { Config } from '../../shared/config.ts';
import type { Logger } from '../../shared/logger.ts';
import { type Ask, createAsk } from '../wiki.ts';
import { createKnownFile, type Known, type KnownStore, toVocabulary } from './known.ts';
import { type Hub, readNames } from './names.ts';
import { isAskable, readTemplateData } from './template-data.ts';
import { templateName, type Vocabulary } from './vocabulary.ts';

export interface WikiVocabulary {
  /** `titles`: of templates that may be citation templates, as the page writes them. */
  for(titles: readonly string[], signal?: AbortSignal): Promise<Vocabulary>;
  /** The same as data, for a thread that makes a vocabulary of it (`toVocabulary`): another object only where it says more. */
  knownFor(titles: readonly string[], signal?: AbortSignal): Promise<Known>;
}

export interface WikiVocabularyOptions {
  ask: Ask;
  hub: Hub | null;
  store: KnownStore;
  log: Pick<Logger, 'info' | 'warn'>;
  /** ms since 1970. */
  now?: () => number;
}

/** Of the wiki that the bot reads, kept in its data folder. Wikipedias are told their own names by the English one's links. */
export function openWikiVocabulary(config: Pick<Config, 'wiki' | 'dataDir'>, log: Logger): WikiVocabulary {
  const { id, userAgent } = config.wiki;
  const language = /^([a-z-]+)\.wikipedia\.org$/.exec(id)?.[1] ?? 'en';
  const hub = language === 'en' ? null : { ask: createAsk({ apiUrl: HUB_API, userAgent }), language };
  const store = createKnownFile(`${config.dataDir}/vocabulary/${id.replaceAll(':', '_')}.json`);
  return createWikiVocabulary({ ask: createAsk(config.wiki), hub, store, log });
}

export function createWikiVocabulary(options: WikiVocabularyOptions): WikiVocabulary {
  const reader = new VocabularyReader(options);
  return {
    for: (titles, signal) => reader.for(titles, signal),
    knownFor: (titles, signal) => reader.knownFor(titles, signal),
  };
}

class VocabularyReader implements WikiVocabulary {
  readonly #options: WikiVocabularyOptions;
  readonly #now: () => number;
  #known: Known | null = null;
  #vocabulary: { known: Known; made: Vocabulary } | null = null;
  #askAgainAt = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: WikiVocabularyOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  async for(titles: readonly string[], signal?: AbortSignal): Promise<Vocabulary> {
    return (await this.#read(titles, signal)).made;
  }

  async knownFor(titles: readonly string[], signal?: AbortSignal): Promise<Known> {
    return (await this.#read(titles, signal)).known;
  }

  /** One page after the other: what one asks, the next need not. */
  #read(titles: readonly string[], signal?: AbortSignal): Promise<{ known: Known; made: Vocabulary }> {
    const result = this.#turn.then(async () => {
      this.#known ??= (await this.#options.store.load()) ?? NOTHING_KNOWN();
      if (this.#now() >= this.#askAgainAt) await this.#refresh(this.#known, titles, signal);
      this.#vocabulary ??= { known: { ...this.#known }, made: toVocabulary(this.#known) };
      return this.#vocabulary;
    });
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #refresh(known: Known, titles: readonly string[], signal?: AbortSignal): Promise<void> {
    const { store, log } = this.#options;
    try {
      if (await this.#readNames(known, signal)) await store.save(known);
      if (await this.#readTemplates(known, titles, signal)) await store.save(known);
    } catch (error) {
      if (signal?.aborted === true) return;
      this.#askAgainAt = this.#now() + PAUSE_MS;
      const using = known.readAt === 0 ? 'bundled' : new Date(known.readAt).toISOString();
      log.warn({ err: error, using }, 'names of templates not read: going on with those that are known');
    }
  }

  async #readNames(known: Known, signal?: AbortSignal): Promise<boolean> {
    if (!this.#isOld(known.readAt)) return false;
    const { names, templateData } = await readNames(this.#options.ask, this.#options.hub, signal);
    Object.assign(known, { names: Object.fromEntries(names), templateData, readAt: this.#now() });
    this.#vocabulary = null;
    this.#options.log.info({ names: names.size }, 'names of templates read from the wiki');
    return true;
  }

  async #readTemplates(known: Known, titles: readonly string[], signal?: AbortSignal): Promise<boolean> {
    const old = known.templateData ? this.#oldTemplates(known, titles) : [];
    if (old.length === 0) return false;
    const read = await readTemplateData(this.#options.ask, old, signal);
    for (const [name, roles] of read) known.templates[name] = { readAt: this.#now(), roles };
    known.templates = newest(known.templates);
    this.#vocabulary = null;
    return true;
  }

  #oldTemplates({ templates }: Known, titles: readonly string[]): string[] {
    const byName = new Map(titles.filter(isAskable).map((title) => [templateName(title), title]));
    const old = [...byName].filter(([name]) => this.#isOld(templates[name]?.readAt ?? 0));
    return old.slice(0, MOST_ASKED).map(([, title]) => title);
  }

  /** A time to come is one of a clock that was wrong. */
  #isOld(readAt: number): boolean {
    return this.#now() - readAt > DAY_MS || readAt > this.#now();
  }
}

const NOTHING_KNOWN = (): Known => ({ readAt: 0, names: {}, templateData: false, templates: {} });

function newest(templates: Known['templates']): Known['templates'] {
  const entries = Object.entries(templates);
  if (entries.length <= MOST_KEPT) return templates;
  return Object.fromEntries(entries.sort(([, a], [, b]) => b.readAt - a.readAt).slice(0, MOST_KEPT));
}

const HUB_API = 'https://en.wikipedia.org/w/api.php';
const DAY_MS = 24 * 3600 * 1000;
/** After a failure: an article is not held up by a wiki that does not answer. */
const PAUSE_MS = 60_000;
/** Templates asked for on behalf of one page; the others wait for the next page that has them. */
const MOST_ASKED = 150;
const MOST_KEPT = 5000;
