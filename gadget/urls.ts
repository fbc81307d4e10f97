/** Addresses that the panel links to. In: where the service is, and what is being read. Out: http(s) addresses. */
import { projectOf } from './ask.ts';
import type { SiteConfig } from './site-config.ts';
import type { PageKind, Urls } from './view.ts';

export function createUrls(service: string, wiki: string, page: PageKind, config: () => SiteConfig | null): Urls {
  return {
    review: (id) => `${service}/findings/${id}`,
    reviewList() {
      const known = config();
      const whose: Record<string, string> =
        page.kind === 'user'
          ? { user: page.user }
          : page.kind === 'project'
            ? { project: known === null ? page.project : projectOf(page, known) }
            : { page: page.title };
      return `${service}/?${new URLSearchParams({ wiki, ...whose })}`;
    },
    article: (title, finding) => `${addressOf(title, {})}${linkTo(finding)}`,
    change: (diff) => addressOf('', { diff: String(diff) }),
    list: ({ wiki: home, list, revision }) =>
      home === wiki
        ? addressOf(list, { oldid: String(revision) })
        : `https://${home}/w/index.php?title=${encodeURIComponent(list)}&oldid=${revision}`, // a farm's shared wiki
  };
}

/** By which an article's page opens a finding. */
const LINK = '#sidelight-';

function linkTo(finding: number): string {
  return `${LINK}${finding}`;
}

/** The finding that the page's own address names; null: none. */
export function linkedFinding(): number | null {
  return location.hash.startsWith(LINK) ? Number(location.hash.slice(LINK.length)) : null;
}

function addressOf(title: string, query: Record<string, string>): string {
  return new URL(mw.util.getUrl(title, query), location.href).href;
}
