/**
 * Articles and the pages that they cite, made up from a seed. In: a seed and the number of an article or a place. Out: what the wiki
 * shows (`wiki.ts`), what the web serves (`web.ts`), and what is meant by both. Nothing is kept: any number of articles costs nothing.
 */
import { createRandom, type Random } from './random.ts';

/** What becomes of a page when it is read. `broken`: its server answers 500, always. */
export type Condition = 'readable' | 'dead' | 'paywall' | 'scanned' | 'broken';

/** What a page says of a fact that a claim states. */
export type Saying = 'supports' | 'contradicts' | 'silent';

export interface Fact {
  /** As articles claim it. */
  claim: string;
  /** As the page says it, in other words; null: it does not mention it. */
  said: string | null;
  saying: Saying;
}

export interface SourcePage {
  /** Host name without the end that the web gives it. */
  site: string;
  path: string;
  title: string;
  condition: Condition;
  paragraphs: readonly string[];
}

export interface FleetClaim {
  text: string;
  source: SourcePage;
  saying: Saying;
}

export interface FleetRevision {
  id: number;
  /** Null: it made the page. */
  previous: number | null;
  claims: readonly FleetClaim[];
}

export interface FleetArticle {
  pageId: number;
  title: string;
  /** Oldest first; the last one stands. */
  revisions: readonly [FleetRevision, ...FleetRevision[]];
}

/** Articles that draw on the same pages, one beside the other. */
export const ARTICLES_OF_PLACE = 10;
/** Facts of a place: half of them on each of its pages. */
const FACTS = 4;

/** `index` from 0. Page ids and revisions follow from it: `articleOfRevision`. */
export function makeArticle(seed: number, index: number): FleetArticle {
  const random = createRandom(seed, 'article', index);
  const place = makePlace(seed, Math.floor(index / ARTICLES_OF_PLACE));
  const first = random.between(0, FACTS - 1);
  const second = (first + random.between(1, FACTS - 1)) % FACTS;
  const claims = (random.next() < 0.3 ? [first, second] : [first]).map((fact) => claimOf(place, fact));
  const revision = revisionOf(index);
  const made: FleetRevision = { id: revision, previous: null, claims };
  const pageId = index + 1;
  const title = `${place.name} ${TOPICS[index % ARTICLES_OF_PLACE]}`;
  if (random.next() >= EDITED) return { pageId, title, revisions: [made] };
  const added = claims.length === 1 ? [...claims, claimOf(place, second)] : claims.slice(0, 1);
  return { pageId, title, revisions: [made, { id: revision + 1, previous: revision, claims: added }] };
}

/** Of the revision that made the page; the one behind it is the edit, where there is one. */
export function revisionOf(index: number): number {
  return 2 * index + FIRST_REVISION;
}

export function indexOfRevision(revision: number): number {
  return Math.floor((revision - FIRST_REVISION) / 2);
}

/** Null for a title that no article has. */
export function indexOfTitle(title: string): number | null {
  const [, number, topic = ''] = /^[^ ]+?(\d+) (.+)$/.exec(title.replaceAll('_', ' ')) ?? [];
  const at = TOPICS.indexOf(topic);
  return number === undefined || at < 0 ? null : Number(number) * ARTICLES_OF_PLACE + at;
}

export interface Place {
  /** Ends in the place's number: no two have the same. */
  name: string;
  facts: readonly Fact[];
  /** The register has the first half of the facts, the gazette the others. */
  pages: readonly [SourcePage, SourcePage];
}

export function makePlace(seed: number, number: number): Place {
  const random = createRandom(seed, 'place', number);
  const name = `${random.choose(BEGINNINGS)}${random.choose(ENDINGS)}${number}`;
  const facts = Array.from({ length: FACTS }, (_, at) => makeFact(name, at, random));
  const page = (at: 0 | 1) => makePage({ name, number, facts: facts.slice(at * 2, at * 2 + 2) }, at, random);
  return { name, facts, pages: [page(0), page(1)] };
}

/** A page that nobody cites and that says what every fact of the place claims: what a search for a better source can find. */
export function makeChronicle(seed: number, number: number): SourcePage {
  const { name, facts } = makePlace(seed, number);
  return {
    site: `chronicle-${number % 7}`,
    path: `/places/${number}`,
    title: `A chronicle of ${name}`,
    condition: 'readable',
    paragraphs: [`This chronicle tells what happened at ${name}.`, ...facts.map(({ claim }) => claim)],
  };
}

/** The page at an address; null if there is none. `site`: host name without its end. */
export function findPage(seed: number, site: string, path: string): SourcePage | null {
  const number = Number(/^\/places\/(\d+)$/.exec(path)?.[1] ?? Number.NaN);
  if (Number.isNaN(number)) return null;
  const pages = [...makePlace(seed, number).pages, makeChronicle(seed, number)];
  return pages.find((page) => page.site === site) ?? null;
}

function claimOf(place: Place, fact: number): FleetClaim {
  const { claim: text, saying } = place.facts[fact] as Fact; // `fact` is below FACTS, and so many were made
  return { text, saying, source: place.pages[fact < FACTS / 2 ? 0 : 1] };
}

function makeFact(name: string, at: number, random: Random): Fact {
  const thing = THINGS[at % THINGS.length] ?? 'mill';
  const [claimed, other] = [makeDetails(random), makeDetails(random)];
  const chance = random.next();
  const claim = `The ${thing} at ${name} was ${claimed.verb} in ${claimed.year} by ${claimed.person}.`;
  const say = ({ verb, year, person }: Details) => `In ${year} ${person} ${PAST[verb]} the ${thing} at ${name}.`;
  if (chance < 0.72) return { claim, saying: 'supports', said: say(claimed) };
  if (chance < 0.86) return { claim, saying: 'contradicts', said: say({ ...other, verb: claimed.verb }) };
  return { claim, saying: 'silent', said: null };
}

interface Details {
  verb: keyof typeof PAST;
  year: number;
  person: string;
}

function makeDetails(random: Random): Details {
  const verb = random.choose(VERBS);
  return {
    verb,
    year: random.between(1740, 1930),
    person: `${random.choose(FIRST_NAMES)} ${random.choose(LAST_NAMES)}`,
  };
}

function makePage(place: { name: string; number: number; facts: readonly Fact[] }, at: 0 | 1, random: Random) {
  const { name, number, facts } = place;
  const kind = at === 0 ? 'register' : 'gazette';
  const condition = conditionOf(random.next());
  const said = facts.flatMap((fact) => fact.said ?? []);
  const paragraphs = [`The ${kind} keeps notes on ${name} and on the roads that lead there.`, ...said, FILLER[at]];
  return {
    site: `${kind}-${number % SITES}`,
    path: `/places/${number}`,
    title: `${name}: ${kind}`,
    condition,
    paragraphs,
  };
}

function conditionOf(chance: number): Condition {
  if (chance < 0.05) return 'dead';
  if (chance < 0.08) return 'paywall';
  if (chance < 0.11) return 'scanned';
  return chance < 0.13 ? 'broken' : 'readable';
}

const FIRST_REVISION = 100_000;
/** Share of the articles that are edited once. */
const EDITED = 0.1;
/** Hosts of each kind of page: none is asked too often. */
const SITES = 40;

const BEGINNINGS = [
  'Arden',
  'Brim',
  'Corve',
  'Dunmar',
  'Esker',
  'Fallow',
  'Garrow',
  'Hest',
  'Ivel',
  'Karst',
  'Lorn',
  'Merrow',
];
const ENDINGS = ['holt', 'ford', 'wick', 'stead', 'mouth', 'by', 'combe', 'ness'];
const THINGS = ['mill', 'bridge', 'lighthouse', 'school'] as const;
const PAST = { built: 'built', closed: 'closed', restored: 'restored' } as const;
const VERBS = ['built', 'closed', 'restored'] as const;
const FIRST_NAMES = ['Anna', 'Bertil', 'Clara', 'Dorte', 'Emil', 'Frida', 'Gustav', 'Hanna', 'Ivar', 'Johanna'];
const LAST_NAMES = ['Orrin', 'Sandvik', 'Tarn', 'Ulvang', 'Varga', 'Westergren', 'Yarrow', 'Zell'];
const FILLER = [
  'Letters to the register are answered within a month, and visitors are welcome on the first day of every week.',
  'The gazette is printed twice a year; older numbers can be read in the hall behind the market.',
] as const;
const TOPICS: readonly string[] = [
  'parish',
  'history',
  'buildings',
  'economy',
  'harbour',
  'market',
  'valley',
  'railway',
  'manor',
  'district',
];
