/** A page of Wikipedia:Mirrors and forks → the sites that republish the wiki. In: wikitext. Out: entries. */
import type { Parsed } from './parsed.ts';
import { parseSite } from './site.ts';

/** Each mirror's address stands in `url=` of its template, or after `Site:` where the entry is older. */
export function parseMirrors(text: string): Parsed {
  const lines = text
    .replace(/<!--.*?-->/gs, '')
    .split('\n')
    .filter((line) => NAMED.test(line));
  const addresses = lines.flatMap((line) => line.match(ADDRESS) ?? []);
  const sites = addresses.map((address) => ({ address, site: parseSite(address.replace(FRONT_PAGE, '/')) }));
  const found = new Map(sites.flatMap(({ site }) => (site === null ? [] : [[site.domain + site.path, site]])));
  return {
    entries: [...found.values()].map((site) => ({ ...site, status: 'wiki_mirror', userGenerated: false })),
    patterns: [],
    skipped: sites.filter(({ site }) => site === null).map(({ address }) => address),
  };
}

const NAMED = /^\s*\|?\s*url\s*=|^[*:;\s]*'*Site:/i;
const ADDRESS = /https?:\/\/[^\s[\]<>{}|()"]+/gi;
/** The address that is given is often that of the front page. */
const FRONT_PAGE = /\/(?:(?:wiki\/)?Main[_ ]Page|(?:index|default|home)\.\w+)(?:[?#].*)?$/i;
