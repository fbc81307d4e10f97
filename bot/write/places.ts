/**
 * Where Sidelight may write, decided in this one place: pages of the project namespace, and the bot's own user space, with their
 * talk pages. In: a page as the wiki names it. Out: null, or why it is never written, whatever was asked. Never an article.
 */
import { type Refusal, refuse } from './outcome.ts';
import { type Site, sameUser } from './site.ts';

export interface Place {
  /** As the API gave it, so that the namespace is this title's. */
  title: string;
  namespace: number;
  contentModel: string;
  isRedirect: boolean;
}

/** `account`: name of the bot; null: unknown, so that no user space is its own. */
export function whyNotWritable(place: Place, site: Site, account: string | null): Refusal | null {
  const { title, namespace } = place;
  if (!NAMESPACES.includes(namespace)) return refuse('namespace', `${title} is in namespace ${namespace}`);
  // some wikis keep content in their project namespace ($wgContentNamespaces)
  const subject = namespace - (namespace % 2);
  if (site.contentNamespaces.has(subject)) return refuse('namespace', `${title} is in a namespace of content`);
  if (subject === USER && !isOwn(title, account)) return refuse('not_own_user_space', title);
  if (place.contentModel !== 'wikitext') return refuse('not_wikitext', `${title} holds ${place.contentModel}`);
  if (place.isRedirect) return refuse('redirect', title);
  return null;
}

function isOwn(title: string, account: string | null): boolean {
  const owner = title.slice(title.indexOf(':') + 1).split('/')[0] ?? '';
  return account !== null && sameUser(owner, account);
}

const USER = 2;
/** User, User talk, Project, Project talk (https://www.mediawiki.org/wiki/Help:Namespaces). */
const NAMESPACES: readonly number[] = [USER, 3, 4, 5];
