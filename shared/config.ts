/** Environment → Config, parsed once by each `main.ts`. Every setting stands here and nowhere else. Opens nothing. */
import { join } from 'node:path';
import { z } from 'zod';
import type { DatabasePlace } from './sql.ts';
import { parseHttpUrl } from './url.ts';

const HttpUrl = z.string().refine((text) => parseHttpUrl(text) !== null, 'is not an http(s) URL');
const Port = z.coerce.number().int().min(1).max(65535);
const Flag = z.enum(['0', '1', 'true', 'false']).transform((text) => text === '1' || text === 'true');
/** Titles and names can't have a `|` in them. */
const Names = z.string().transform((text) =>
  text
    .split('|')
    .map((name) => name.trim())
    .filter((name) => name !== ''),
);

const Environment = z.object({
  /** The wiki, without path: `https://en.wikipedia.org`. Default: the sample wiki on loopback. */
  WIKI: HttpUrl.default('http://127.0.0.1:8143'),
  /** Script path of the wiki's api.php and rest.php. */
  WIKI_SCRIPT_PATH: z
    .string()
    .regex(/^(\/[\w.-]+)*$/)
    .default('/w'),
  /** Sent with every request, as https://foundation.wikimedia.org/wiki/Policy:Wikimedia_Foundation_User-Agent_Policy asks. */
  USER_AGENT: z.string().min(1).default('Sidelight/0.1 (sample installation on loopback)'),
  /** Where edits come from; `auto`: EventStreams for Wikimedia's wikis, the API for others. */
  FEED: z.enum(['auto', 'eventstreams', 'redis', 'api']).default('auto'),
  EVENTSTREAMS_URL: HttpUrl.default('https://stream.wikimedia.org/v2/stream/mediawiki.recentchange'),
  /** Channel of the wiki's own Redis feed ($wgRCFeeds), for FEED=redis: `redis://host:port/channel`. */
  FEED_REDIS_URL: z.string().optional(),
  /** Where to begin when no cursor is stored: an ISO time; default: now. */
  SINCE: z.iso.datetime().optional(),
  INCLUDE_BOTS: Flag.default(false),
  /** JSON file with the rules by which edits are chosen, in place of the default ones (bot/rules.ts). */
  EDIT_RULES: z.string().min(1).optional(),
  /** Seconds that a page must be left alone before it is checked; ten times as many at most. 0: each edit at once. */
  DEBOUNCE: z.coerce.number().min(0).max(3600).default(60),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//)
    .default('redis://127.0.0.1:6379/0'),
  /**
   * A MariaDB for what all hosts share (findings, sources, lists of sources, worklists): `mariadb://user:password@host:3306/name`.
   * Default: SQLite files in DATA_DIR.
   */
  DATABASE_URL: z
    .string()
    .regex(/^mariadb:\/\/[^/]+\/\w+$/, 'is no mariadb://user:password@host:port/name')
    .optional(),
  /** Everything that is kept on this host: databases, index shards, the local stack's own files. */
  DATA_DIR: z.string().min(1).default('.sidelight'),
  MODELS_DIR: z.string().min(1).default('workers/models'),
  /** `0.0.0.0` and `::` only behind a proxy that REVIEW_URL names. */
  REVIEW_HOST: z.enum(['127.0.0.1', 'localhost', '::1', '0.0.0.0', '::']).default('127.0.0.1'),
  REVIEW_PORT: Port.default(8145),
  /** `http://host/fetch?url={url}`: every source is fetched through it. */
  SOURCE_GATEWAY: HttpUrl.refine((text) => text.includes('{url}'), 'has no {url} in it').optional(),
  /** Sources on this machine may be read: for the sample web and for tests only. */
  ALLOW_LOOPBACK_SOURCES: Flag.default(false),
  /** Seconds between two requests to one host, of all workers together. */
  SOURCE_PAUSE: z.coerce.number().min(0).max(600).default(1),
  /** Requests a day (UTC) to all hosts of sources together, and to one of them. */
  SOURCE_DAILY: z.coerce.number().int().positive().default(200_000),
  SOURCE_HOST_DAILY: z.coerce.number().int().positive().default(5000),
  /** MB of responses that are kept as they came, compressed: what was used least lately goes first. */
  SOURCES_KEEP_MB: z.coerce.number().int().nonnegative().max(1_000_000).default(1024),
  WAYBACK_URL: HttpUrl.default('https://web.archive.org'),
  /** Base of an OpenAI-compatible API, `https://host/v1`: another model is asked about scores near the threshold. Default: none. */
  SECOND_OPINION_URL: HttpUrl.optional(),
  /** As that server names it. */
  SECOND_OPINION_MODEL: z.string().min(1).max(200).optional(),
  /** Sent as bearer token. */
  SECOND_OPINION_KEY: z
    .string()
    .regex(/^[\x21-\x7e]*$/, 'is no bearer token')
    .optional(),
  /** How far from the threshold a score is still near. */
  SECOND_OPINION_MARGIN: z.coerce.number().min(0).max(1).default(0.1),
  /** Seconds that a claim waits for it at most. */
  SECOND_OPINION_TIMEOUT: z.coerce.number().positive().max(600).default(30),
  /** Requests a day (UTC) of all workers together. */
  SECOND_OPINION_DAILY: z.coerce.number().int().nonnegative().default(500),
  /** JSON file with the places of the wiki's lists of sources, in place of those that English Wikipedia has (bot/reliability/places.ts). */
  RELIABILITY_LISTS: z.string().min(1).optional(),
  /** Wiki whose blacklists hold for all wikis of a farm; `none`. Default: Meta for Wikimedia's wikis, none for others. */
  RELIABILITY_GLOBAL_WIKI: z.union([z.literal('none'), HttpUrl]).optional(),
  /** api.php of PagePile and address of PetScan, for worklists. */
  PAGEPILE_URL: HttpUrl.default('https://pagepile.toolforge.org/api.php'),
  PETSCAN_URL: HttpUrl.default('https://petscan.wmcloud.org/'),
  /** Every readable page that was fetched joins the corpus: what articles cite is the best corpus a new wiki can have. */
  CORPUS_GROW: Flag.default(true),
  /** Sites that readers write (blogs, social media, open databases) may be suggested. */
  SUGGEST_USER_GENERATED: Flag.default(false),
  /** Nodes of an Elasticsearch 8 or 9, comma-separated, user:password in them if need be: the sparse index of all hosts. Default: SQLite. */
  ELASTICSEARCH_URL: z.string().min(1).optional(),
  /** As Elasticsearch gives it out encoded; instead of user:password. */
  ELASTICSEARCH_API_KEY: z
    .string()
    .regex(/^[\w+/=-]*$/, 'is no encoded API key')
    .optional(),
  /** File with the certificate of the authority that signed the nodes' certificates. */
  ELASTICSEARCH_CA: z.string().min(1).optional(),
  /** What its indices' and aliases' names begin with. */
  ELASTICSEARCH_PREFIX: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,60}$/, 'is not of lower-case letters, digits and hyphens')
    .default('sidelight'),
  /** Of a new generation's index. */
  ELASTICSEARCH_SHARDS: z.coerce.number().int().min(1).max(1024).default(1),
  ELASTICSEARCH_REPLICAS: z.coerce.number().int().min(0).max(16).default(0),
  /** Seconds that a search may take; what has not answered by then is left out, and said to be. */
  ELASTICSEARCH_TIMEOUT: z.coerce.number().positive().max(300).default(10),
  /** What adds words to the sparse query: workers/retrieval/expansion. */
  QUERY_EXPANSION: z.enum(['none', 'rm3', 'generated', 'endpoint']).default('none'),
  /** For `endpoint`: base of an OpenAI-compatible API, and the model as that server names it. */
  EXPANSION_URL: HttpUrl.optional(),
  EXPANSION_MODEL: z.string().min(1).max(200).optional(),
  /** Sent as bearer token. */
  EXPANSION_KEY: z
    .string()
    .regex(/^[\x21-\x7e]*$/, 'is no bearer token')
    .optional(),
  /** Seconds that a search waits for it at most. */
  EXPANSION_TIMEOUT: z.coerce.number().positive().max(600).default(5),
  /** Requests a day (UTC) of each worker process. */
  EXPANSION_DAILY: z.coerce.number().int().nonnegative().default(2000),
  /** The bot's account on the wiki, for what it writes (bot/write): `Name@app` of a bot password, `Name` with a token. Default: none. */
  BOT_USERNAME: z.string().min(1).max(255).optional(),
  BOT_PASSWORD: z.string().min(1).optional(),
  /** Owner-only OAuth 2 access token, in place of a bot password. */
  BOT_OAUTH_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'is no bearer token')
    .optional(),
  /** The account has the bot flag, and must keep it. Off: during a trial. */
  BOT_FLAG: Flag.default(true),
  /** Seconds between two edits, of all processes together (https://en.wikipedia.org/wiki/Wikipedia:Bot_policy#Performance). */
  BOT_EDIT_INTERVAL: z.coerce.number().min(0).max(86_400).default(10),
  /** Any text on it but `run` stops the bot. Default: `User:<bot>/switch`. */
  BOT_SWITCH_PAGE: z.string().min(1).max(512).optional(),
  /** The template by which a page asks for a report. */
  BOT_REPORT_TEMPLATE: z.string().min(1).max(200).default('Sidelight report'),
  /** How many checks one address may ask for in an hour, and how often all together may have one page checked as a whole. */
  CHECKS_HOURLY: z.coerce.number().int().positive().default(60),
  CHECKS_PAGE_HOURLY: z.coerce.number().int().positive().default(6),
  /** Where people reach the review page, if not on this machine: reports link to it, and sign-in comes back to it. */
  REVIEW_URL: HttpUrl.optional(),
  /** Of an OAuth 2.0 client that is registered on the wiki for identity only, called back at REVIEW_URL/oauth/callback. */
  OAUTH_CLIENT_ID: z.string().min(1).max(255).optional(),
  /** Default: a public client, which has none. */
  OAUTH_CLIENT_SECRET: z.string().min(1).max(1000).optional(),
  /** Accounts, and groups of the wiki, that also requeue, cancel, and keep worklists and opt-outs: `Name|Other name`. */
  MAINTAINERS: Names.default([]),
  MAINTAINER_GROUPS: Names.default(['sysop']),
  /** Groups of the wiki whose members decide. Default: every account that is not blocked. */
  PATROLLER_GROUPS: Names.optional(),
  /** Signs the cookies of sessions; the same for all processes. Default: made once and kept in DATA_DIR. */
  SESSION_SECRET: z.string().min(32, 'needs 32 characters or more').optional(),
  /** Origins of wikis, comma-separated, whose gadget may ask beside that of WIKI: `https://fr.wikipedia.org,https://de.wikipedia.org`. */
  GADGET_WIKIS: z.string().optional(),
  /** Requests a minute to the review service: of one address for reading and for what changes something, and of one account for both. */
  RATE_READS: z.coerce.number().int().positive().max(1_000_000).default(600),
  RATE_WRITES: z.coerce.number().int().positive().max(1_000_000).default(60),
  RATE_ACCOUNT: z.coerce.number().int().positive().max(1_000_000).default(1200),
  /** Minutes for which a finding is kept from others while somebody looks at it. */
  LEASE_MINUTES: z.coerce.number().positive().max(1440).default(10),
  /** Where /healthz, /readyz and /metrics of each process are: for probes and Prometheus, not for the public. Default: nowhere. */
  OPS_PORT: Port.optional(),
  OPS_HOST: z.string().min(1).default('127.0.0.1'),
  /** Base of an OTLP/HTTP receiver, `http://host:4318`: traces go there. Default: none are made. */
  OTEL_EXPORTER_OTLP_ENDPOINT: HttpUrl.optional(),
  /** Seconds from SIGTERM to the end of a process: what is in hand ends, or is handed back to the queues. */
  STOP_SECONDS: z.coerce.number().min(1).max(3600).default(20),
  /**
   * Jobs of patrol that wait: of articles beyond so many the oldest are dropped, and counted; where so many wait in a stage behind
   * them, articles wait (deploy/decisions/back-pressure.md). Nothing that a person asked for is counted or dropped.
   */
  QUEUE_LIMIT: z.coerce.number().int().min(10).max(1_000_000).default(10_000),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

export interface Config {
  wiki: { id: string; origin: string; apiUrl: string; restUrl: string; userAgent: string };
  feed: Feed & {
    /** ISO time; null: now. */
    since: string | null;
    includeBots: boolean;
    /** File of rules; null: the default ones. */
    rules: string | null;
    quietMs: number;
  };
  redisUrl: string;
  dataDir: string;
  databases: {
    sources: DatabasePlace;
    review: DatabasePlace;
    reliability: DatabasePlace;
    worklists: DatabasePlace;
    /** SQLite file of this host: what its models have judged before. */
    judgements: string;
  };
  modelsDir: string;
  /** `url`: as this machine reaches it. */
  review: { host: string; port: number; url: string };
  sources: {
    gateway: string | null;
    allowLoopback: boolean;
    waybackUrl: string;
    userAgent: string;
    /** Of responses that are kept, compressed. */
    keepBytes: number;
    /** SQLite file of this host for them, where the sources are in a database that hosts share. */
    responsesFile: string;
    turns: { pauseMs: number; daily: number; hostDaily: number };
  };
  /** Null: none is asked for. */
  secondOpinion: SecondOpinionSettings | null;
  expansion: ExpansionSettings;
  reliability: ReliabilitySettings;
  /** Tools that keep lists of pages. */
  tools: { pagePileUrl: string; petScanUrl: string; userAgent: string };
  growCorpus: boolean;
  bot: BotSettings;
  /** Null: nobody but this machine reaches the review page. */
  reviewUrl: string | null;
  signIn: SignInSettings;
  /** Origins of wikis whose gadget may ask; that of `wiki` is the first. */
  gadgetOrigins: readonly string[];
  /** Requests a minute to the review service. */
  rates: { reads: number; writes: number; account: number };
  /** Null: the sparse index is a file of each generation's folder. */
  elasticsearch: ElasticsearchSettings | null;
  leaseMs: number;
  /** Checks an hour: of one address, and of one page as a whole. */
  checks: { hourly: number; pageHourly: number };
  /** Null: no such server. */
  ops: { host: string; port: number } | null;
  /** Receiver of traces; null: none. */
  tracesUrl: string | null;
  stopMs: number;
  /** Jobs of patrol that wait in a queue. */
  queueLimit: number;
  logLevel: string;
}

type Feed = { kind: 'eventstreams'; eventStreamsUrl: string } | { kind: 'redis'; redisUrl: string } | { kind: 'api' };

export interface ReliabilitySettings {
  /** File of places; null: the default ones. */
  lists: string | null;
  /** Wiki of the shared blacklists; null: there is none. */
  global: { id: string; apiUrl: string; userAgent: string } | null;
  allowUserGenerated: boolean;
}

/** Who may decide on the review page, and how they say who they are. */
export interface SignInSettings {
  /** Null: none is registered on the wiki. The secret is never logged; null: it is a public client. */
  client: { id: string; secret: string | null } | null;
  maintainers: readonly string[];
  maintainerGroups: readonly string[];
  /** Null: everybody who is not blocked. */
  patrollerGroups: readonly string[] | null;
  /** Never logged. Null: it is made once, and kept in that file. */
  sessionSecret: string | null;
  sessionSecretFile: string;
}

/** Who writes on the wiki, and how. */
export interface BotSettings {
  /** Of the account; null: none is set. */
  name: string | null;
  /** Never logged. Null: pages can't be saved. */
  login: { kind: 'bot_password'; username: string; password: string } | { kind: 'oauth'; token: string } | null;
  isFlagged: boolean;
  editIntervalMs: number;
  /** Null where the account is not known. */
  switchPage: string | null;
  reportTemplate: string;
  /** SQLite file by which processes take turns. */
  turnsFile: string;
}

export interface SecondOpinionSettings {
  url: string;
  model: string;
  /** Never logged. */
  key: string | null;
  margin: number;
  timeoutMs: number;
  daily: number;
}

export interface ElasticsearchSettings {
  /** Without credentials. */
  nodes: readonly string[];
  /** Never logged. */
  auth: { apiKey: string } | { username: string; password: string } | null;
  /** Path of the certificate. */
  ca: string | null;
  prefix: string;
  shards: number;
  replicas: number;
  timeoutMs: number;
}

export type ExpansionSettings =
  | { kind: 'none' | 'rm3' | 'generated' }
  /** The key is never logged. */
  | { kind: 'endpoint'; url: string; model: string; key: string | null; timeoutMs: number; daily: number };

/** A setting that can't be used. The message names it and is one line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Throws ConfigError naming the first setting that does not parse. */
export function parseConfig(environment: Record<string, string | undefined>): Config {
  const parsed = Environment.safeParse(environment);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new ConfigError(`${issue?.path.join('.') ?? 'environment'}: ${issue?.message ?? 'does not parse'}`);
  }
  return toConfig(parsed.data);
}

function toConfig(env: z.infer<typeof Environment>): Config {
  const wiki = new URL(env.WIKI);
  const isWikimedia = WIKIMEDIA.test(wiki.hostname);
  if (isWikimedia && !CONTACT.test(env.USER_AGENT)) {
    throw new ConfigError(
      `USER_AGENT: ${wiki.host} asks for a tool name and a contact, e.g. "MyBot/1.0 (me@example.org)"`,
    );
  }
  return {
    wiki: {
      id: wiki.host,
      origin: wiki.origin,
      apiUrl: `${wiki.origin}${env.WIKI_SCRIPT_PATH}/api.php`,
      restUrl: `${wiki.origin}${env.WIKI_SCRIPT_PATH}/rest.php`,
      userAgent: env.USER_AGENT,
    },
    feed: {
      ...toFeed(env, isWikimedia),
      since: env.SINCE ?? null,
      includeBots: env.INCLUDE_BOTS,
      rules: env.EDIT_RULES ?? null,
      quietMs: env.DEBOUNCE * 1000,
    },
    redisUrl: env.REDIS_URL,
    dataDir: env.DATA_DIR,
    databases: toDatabases(env),
    modelsDir: env.MODELS_DIR,
    review: { host: env.REVIEW_HOST, port: env.REVIEW_PORT, url: toOwnUrl(env) },
    sources: {
      gateway: env.SOURCE_GATEWAY ?? null,
      allowLoopback: env.ALLOW_LOOPBACK_SOURCES,
      waybackUrl: env.WAYBACK_URL,
      userAgent: env.USER_AGENT,
      keepBytes: env.SOURCES_KEEP_MB * 1024 ** 2,
      responsesFile: join(env.DATA_DIR, 'responses.sqlite'),
      turns: { pauseMs: env.SOURCE_PAUSE * 1000, daily: env.SOURCE_DAILY, hostDaily: env.SOURCE_HOST_DAILY },
    },
    secondOpinion: toSecondOpinion(env),
    expansion: toExpansion(env),
    elasticsearch: toElasticsearch(env),
    reliability: toReliability(env, isWikimedia),
    tools: { pagePileUrl: env.PAGEPILE_URL, petScanUrl: env.PETSCAN_URL, userAgent: env.USER_AGENT },
    growCorpus: env.CORPUS_GROW,
    bot: toBot(env, wiki),
    reviewUrl: env.REVIEW_URL ?? (isLoopback(wiki) ? toOwnUrl(env) : null),
    signIn: toSignIn(env),
    gadgetOrigins: toOrigins(wiki, env.GADGET_WIKIS),
    rates: { reads: env.RATE_READS, writes: env.RATE_WRITES, account: env.RATE_ACCOUNT },
    leaseMs: env.LEASE_MINUTES * 60_000,
    checks: { hourly: env.CHECKS_HOURLY, pageHourly: env.CHECKS_PAGE_HOURLY },
    ops: env.OPS_PORT === undefined ? null : { host: env.OPS_HOST, port: env.OPS_PORT },
    tracesUrl: toTraces(env.OTEL_EXPORTER_OTLP_ENDPOINT),
    stopMs: env.STOP_SECONDS * 1000,
    queueLimit: env.QUEUE_LIMIT,
    logLevel: env.LOG_LEVEL,
  };
}

/** https://opentelemetry.io/docs/specs/otel/protocol/exporter/#endpoint-urls-for-otlphttp */
function toTraces(endpoint: string | undefined): string | null {
  return endpoint === undefined ? null : `${endpoint.replace(/\/$/, '')}/v1/traces`;
}

function toOrigins(wiki: URL, others = ''): string[] {
  const origins = others.split(',').flatMap((text) => (text.trim() === '' ? [] : [parseHttpUrl(text.trim())?.origin]));
  const known = origins.filter((origin) => origin !== undefined);
  if (known.length < origins.length) throw new ConfigError('GADGET_WIKIS: is no list of http(s) URLs');
  return [...new Set([wiki.origin, ...known])];
}

function toFeed(env: z.infer<typeof Environment>, isWikimedia: boolean): Feed {
  const kind = env.FEED !== 'auto' ? env.FEED : isWikimedia ? 'eventstreams' : 'api';
  if (kind === 'eventstreams') return { kind, eventStreamsUrl: env.EVENTSTREAMS_URL };
  if (kind === 'api') return { kind };
  if (env.FEED_REDIS_URL === undefined) throw new ConfigError('FEED_REDIS_URL: is needed for FEED=redis');
  return { kind, redisUrl: env.FEED_REDIS_URL };
}

function toReliability(env: z.infer<typeof Environment>, isWikimedia: boolean): ReliabilitySettings {
  const shared = env.RELIABILITY_GLOBAL_WIKI ?? (isWikimedia ? META : 'none');
  const { origin, host: id } = new URL(shared === 'none' ? env.WIKI : shared);
  const apiUrl = `${origin}${env.WIKI_SCRIPT_PATH}/api.php`;
  return {
    lists: env.RELIABILITY_LISTS ?? null,
    global: shared === 'none' ? null : { id, apiUrl, userAgent: env.USER_AGENT },
    allowUserGenerated: env.SUGGEST_USER_GENERATED,
  };
}

function toBot(env: z.infer<typeof Environment>, wiki: URL): BotSettings {
  const { BOT_USERNAME: username, BOT_PASSWORD: password, BOT_OAUTH_TOKEN: token } = env;
  if (username === undefined && (password ?? token) !== undefined) {
    throw new ConfigError('BOT_USERNAME: is needed with BOT_PASSWORD and with BOT_OAUTH_TOKEN');
  }
  const name = username?.split('@')[0]?.replaceAll('_', ' ') ?? null;
  const login = toLogin(username, password, token);
  if (login !== null && !isLoopback(wiki) && !CONTACT.test(env.USER_AGENT)) {
    throw new ConfigError('USER_AGENT: who writes on a wiki names a contact, e.g. "MyBot/1.0 (me@example.org)"');
  }
  return {
    name,
    login,
    isFlagged: env.BOT_FLAG,
    editIntervalMs: env.BOT_EDIT_INTERVAL * 1000,
    switchPage: env.BOT_SWITCH_PAGE ?? (name === null ? null : `User:${name}/switch`),
    reportTemplate: env.BOT_REPORT_TEMPLATE,
    turnsFile: join(env.DATA_DIR, 'writing.sqlite'),
  };
}

function toOwnUrl({ REVIEW_HOST: host, REVIEW_PORT: port, REVIEW_URL: url }: z.infer<typeof Environment>): string {
  const isOpen = host === '0.0.0.0' || host === '::';
  if (isOpen && (url === undefined || isLoopback(new URL(url)))) {
    throw new ConfigError(`REVIEW_HOST: ${host} is open to others, so REVIEW_URL has to say where they find it`);
  }
  const reached = isOpen ? '127.0.0.1' : host.replace(/^.*:.*$/, '[$&]');
  return `http://${reached}:${port}`;
}

function toSignIn(env: z.infer<typeof Environment>): SignInSettings {
  const { OAUTH_CLIENT_ID: id, OAUTH_CLIENT_SECRET: secret } = env;
  if (id === undefined && secret !== undefined) {
    throw new ConfigError('OAUTH_CLIENT_ID: is needed with OAUTH_CLIENT_SECRET');
  }
  return {
    client: id === undefined ? null : { id, secret: secret ?? null },
    maintainers: env.MAINTAINERS.map((name) => name.replaceAll('_', ' ')),
    maintainerGroups: env.MAINTAINER_GROUPS,
    patrollerGroups: env.PATROLLER_GROUPS ?? null,
    sessionSecret: env.SESSION_SECRET ?? null,
    sessionSecretFile: join(env.DATA_DIR, 'session-secret'),
  };
}

function toLogin(username?: string, password?: string, token?: string): BotSettings['login'] {
  if (token !== undefined) return { kind: 'oauth', token };
  return username === undefined || password === undefined ? null : { kind: 'bot_password', username, password };
}

function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function toSecondOpinion(env: z.infer<typeof Environment>): SecondOpinionSettings | null {
  if (env.SECOND_OPINION_URL === undefined) return null;
  if (env.SECOND_OPINION_MODEL === undefined) {
    throw new ConfigError('SECOND_OPINION_MODEL: is needed with SECOND_OPINION_URL');
  }
  return {
    url: env.SECOND_OPINION_URL,
    model: env.SECOND_OPINION_MODEL,
    key: env.SECOND_OPINION_KEY || null,
    margin: env.SECOND_OPINION_MARGIN,
    timeoutMs: env.SECOND_OPINION_TIMEOUT * 1000,
    daily: env.SECOND_OPINION_DAILY,
  };
}

function toDatabases({ DATABASE_URL: shared, DATA_DIR: folder }: z.infer<typeof Environment>): Config['databases'] {
  const { judgements, ...files } = sqliteDatabases(folder);
  if (shared === undefined) return { ...files, judgements };
  return { review: shared, worklists: shared, reliability: shared, sources: shared, judgements };
}

/** Where the databases are without DATABASE_URL. */
export function sqliteDatabases(folder: string): Config['databases'] {
  return {
    sources: join(folder, 'sources.sqlite'),
    review: join(folder, 'review.sqlite'),
    reliability: join(folder, 'reliability.sqlite'),
    worklists: join(folder, 'worklists.sqlite'),
    judgements: join(folder, 'judgements.sqlite'),
  };
}

const META = 'https://meta.wikimedia.org';
function toElasticsearch(env: z.infer<typeof Environment>): ElasticsearchSettings | null {
  if (env.ELASTICSEARCH_URL === undefined) return null;
  const urls = env.ELASTICSEARCH_URL.split(',').map((text) => parseHttpUrl(text.trim()));
  const nodes = urls.filter((url) => url !== null);
  if (nodes.length < urls.length) throw new ConfigError('ELASTICSEARCH_URL: is no list of http(s) URLs');
  return {
    nodes: nodes.map(({ origin, pathname }) => `${origin}${pathname.replace(/\/$/, '')}`),
    auth: toElasticsearchAuth(env.ELASTICSEARCH_API_KEY, nodes),
    ca: env.ELASTICSEARCH_CA ?? null,
    prefix: env.ELASTICSEARCH_PREFIX,
    shards: env.ELASTICSEARCH_SHARDS,
    replicas: env.ELASTICSEARCH_REPLICAS,
    timeoutMs: env.ELASTICSEARCH_TIMEOUT * 1000,
  };
}

function toElasticsearchAuth(apiKey: string | undefined, nodes: readonly URL[]): ElasticsearchSettings['auth'] {
  if (apiKey) return { apiKey };
  const user = nodes.find(({ username }) => username !== '');
  if (user === undefined) return null;
  try {
    return { username: decodeURIComponent(user.username), password: decodeURIComponent(user.password) };
  } catch {
    throw new ConfigError('ELASTICSEARCH_URL: % in a name or password is written %25');
  }
}

function toExpansion(env: z.infer<typeof Environment>): ExpansionSettings {
  const kind = env.QUERY_EXPANSION;
  if (kind !== 'endpoint') return { kind };
  const { EXPANSION_URL: url, EXPANSION_MODEL: model } = env;
  if (url === undefined) throw new ConfigError('EXPANSION_URL: is needed for QUERY_EXPANSION=endpoint');
  if (model === undefined) throw new ConfigError('EXPANSION_MODEL: is needed for QUERY_EXPANSION=endpoint');
  const timeoutMs = env.EXPANSION_TIMEOUT * 1000;
  return { kind, url, model, key: env.EXPANSION_KEY || null, timeoutMs, daily: env.EXPANSION_DAILY };
}

const WIKIMEDIA =
  /(^|\.)(wikipedia|wikimedia|wiktionary|wikinews|wikivoyage|wikiversity|wikidata|wikibooks|wikiquote|wikisource|mediawiki|wikifunctions)\.org$/;
const CONTACT = /@|https?:\/\/|User:/;
