/** Sites that no wiki has to list for us: those that readers write, and wikis. Wikis' own lists have the last word on the former. */

/** Whether anyone may publish there without an editor. */
export function isUserGenerated(host: string): boolean {
  return isUnder(host, USER_GENERATED);
}

/** A wiki of Wikimedia, or a site that republishes one (https://en.wikipedia.org/wiki/Wikipedia:Verifiability#Wikipedia_and_sources_that_mirror_or_use_it). */
export function isSiteOfWikis(host: string): boolean {
  return isUnder(host, WIKIS);
}

function isUnder(host: string, domains: ReadonlySet<string>): boolean {
  const labels = host.toLowerCase().split('.');
  return labels.some((_, at) => domains.has(labels.slice(at).join('.')));
}

const USER_GENERATED: ReadonlySet<string> = new Set([
  ...['facebook.com', 'instagram.com', 'threads.net', 'x.com', 'twitter.com', 'bsky.app', 'tiktok.com', 'linkedin.com'],
  ...['youtube.com', 'youtu.be', 'reddit.com', 'quora.com', 'pinterest.com', 'tumblr.com', 'livejournal.com', 'vk.com'],
  ...['medium.com', 'substack.com', 'blogspot.com', 'wordpress.com', 'wixsite.com', 'weebly.com', 'blogger.com'],
  ...['fandom.com', 'wikia.com', 'miraheze.org', 'wikihow.com', 'wikitree.com', 'geni.com', 'findagrave.com'],
  ...['imdb.com', 'discogs.com', 'rateyourmusic.com', 'genius.com', 'last.fm', 'goodreads.com', 'tvtropes.org'],
  ...['stackexchange.com', 'stackoverflow.com', 'answers.com', 'scribd.com', 'urbandictionary.com', 'knowyourmeme.com'],
  ...['tripadvisor.com', 'yelp.com', 'change.org', 'openstreetmap.org', 'deviantart.com', 'wikisource.org'],
]);

const WIKIS: ReadonlySet<string> = new Set([
  ...['wikipedia.org', 'wiktionary.org', 'wikiquote.org', 'wikinews.org', 'wikivoyage.org', 'wikibooks.org'],
  ...['wikiversity.org', 'wikidata.org', 'mediawiki.org', 'wikifunctions.org'],
  ...['wikiwand.com', 'dbpedia.org', 'kiddle.co', 'en-academic.com', 'everybodywiki.com', 'alchetron.com'],
]);
