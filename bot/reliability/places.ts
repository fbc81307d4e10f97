/** Where a wiki's lists stand and how they are written. In: nothing, or a file of one's own. Out: places. Reads no wiki. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { ReliabilityStatus } from '../../shared/citation.ts';
import { RequestError } from '../../shared/errors.ts';

const where = {
  /** Title; `Project:` is the wiki's own namespace, whatever it is called. */
  page: z.string().min(1).max(512),
  /** Subpages that belong to the list: a regular expression of what follows the slash. Null: there are none. */
  subpages: z.string().refine(compiles, 'is no regular expression').nullable().default(null),
};

const PerennialPlace = z.object({
  form: z.literal('perennial'),
  ...where,
  /** Templates of the status and of the domains, without namespace; `/Status` is a subpage's name. */
  statusTemplates: z.array(z.string()).default(['RSPSTATUS', '/Status']),
  usesTemplates: z.array(z.string()).default(['RSPUSES', '/Uses']),
  /** First parameter of the status template, and what follows `s-` in a row's class. */
  statuses: z.record(z.string(), ReliabilityStatus.exclude(['mixed'])).default({
    gr: 'generally_reliable',
    nc: 'no_consensus',
    m: 'no_consensus',
    mr: 'no_consensus',
    gu: 'generally_unreliable',
    d: 'deprecated',
    b: 'blacklisted',
  }),
});
export type PerennialPlace = z.infer<typeof PerennialPlace>;

const OtherPlace = z.object({
  form: z.enum([
    'spam_blacklist',
    'spam_whitelist',
    'title_blacklist',
    'title_whitelist',
    'blocked_domains',
    'mirrors',
    /** Of the wiki whose blacklists hold for all wikis of a farm. */
    'global_spam_blacklist',
    'global_title_blacklist',
  ]),
  ...where,
});

export const Place = z.discriminatedUnion('form', [PerennialPlace, OtherPlace]);
export type Place = z.infer<typeof Place>;

/** As English Wikipedia has them. Other wikis have some of them under the same titles; what is not there is no list. */
export const DEFAULT_PLACES: Place[] = z.array(Place).parse([
  { form: 'perennial', page: 'Project:Reliable sources/Perennial sources', subpages: '\\d+' },
  { form: 'spam_blacklist', page: 'MediaWiki:Spam-blacklist' },
  { form: 'spam_whitelist', page: 'MediaWiki:Spam-whitelist' },
  { form: 'blocked_domains', page: 'MediaWiki:BlockedExternalDomains.json' },
  { form: 'title_blacklist', page: 'MediaWiki:Titleblacklist' },
  { form: 'title_whitelist', page: 'MediaWiki:Titlewhitelist' },
  { form: 'mirrors', page: 'Project:Mirrors and forks', subpages: 'Numbers|[A-Z]{3,5}' },
  { form: 'global_spam_blacklist', page: 'Spam blacklist' },
  { form: 'global_title_blacklist', page: 'Title blacklist' },
]);

/** Places of a JSON file, an array, in place of the default ones. Throws RequestError naming what does not parse. */
export async function loadPlaces(file: string | null): Promise<Place[]> {
  if (file === null) return DEFAULT_PLACES;
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) throw new RequestError('no_such_file', `RELIABILITY_LISTS: ${file} can't be read`);
  const parsed = z.array(Place).safeParse(json(text));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new RequestError('broken_lists', `RELIABILITY_LISTS: ${file}: ${issue?.path.join('.')}: ${issue?.message}`);
}

function compiles(expression: string): boolean {
  try {
    new RegExp(expression);
    return true;
  } catch {
    return false;
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
