/** What somebody names, titles, addresses, days → which findings are wanted. In: names and the wiki. Out: `Wanted`. Publishes nothing. */
import { createWiki } from '../../bot/wiki.ts';
import { categoryTitle } from '../../bot/worklists/worklist.ts';
import type { UnavailableReason, Verdict } from '../../shared/citation.ts';
import type { Config } from '../../shared/config.ts';
import { RequestError } from '../../shared/errors.ts';
import { hashCitation } from '../../shared/hash.ts';
import { parseHttpUrl } from '../../shared/url.ts';
import { currentModel } from './model.ts';
import type { Wanted } from './requeue.ts';

/** All that is given must hold. */
export interface Named {
  /** Titles. */
  articles?: readonly string[] | undefined;
  category?: string | undefined;
  /** Levels of subcategories. */
  depth: number;
  /** URL. */
  citation?: string | undefined;
  reason?: UnavailableReason | undefined;
  verdict?: Verdict | undefined;
  /** Left out or false: searched in whatever part. */
  searchedPartly?: boolean | undefined;
  /** Version, or `other`: any but the one that judges now. */
  model?: string | undefined;
  /** Days. */
  olderThan?: number | undefined;
  readAgain: boolean;
}

/** Throws RequestError where nothing is named, or for an article or an address that is none; TransientError for a wiki that is away. */
export async function wantedOf(
  config: Pick<Config, 'wiki' | 'modelsDir'>,
  named: Named,
  signal: AbortSignal,
): Promise<Wanted> {
  const { articles, category, citation, reason, verdict, model, olderThan } = named;
  const searchedPartly = named.searchedPartly || undefined;
  const given = [articles, category, citation, reason, verdict, searchedPartly, model, olderThan];
  if (given.every((one) => one === undefined)) {
    throw new RequestError(
      'no_choice',
      'say which findings: by article, category, citation, reason, verdict, partial search, model or age',
    );
  }
  const isAboutSource = citation !== undefined || reason !== undefined || verdict === 'unavailable';
  return {
    wiki: config.wiki.id,
    articles: articles === undefined ? undefined : await pagesOf(config, articles, signal),
    category: category === undefined ? undefined : { title: categoryTitle(category), depth: named.depth },
    citation: citation === undefined ? undefined : hashOf(citation),
    reason,
    verdict,
    searchedPartly,
    model: model === undefined ? undefined : await modelOf(config, model),
    before: olderThan === undefined ? undefined : new Date(Date.now() - olderThan * DAY_MS).toISOString(),
    readAgain: named.readAgain || isAboutSource,
  };
}

async function modelOf({ modelsDir }: Pick<Config, 'modelsDir'>, model: string): Promise<Wanted['model']> {
  return model === 'other' ? { not: await currentModel(modelsDir) } : { is: model };
}

async function pagesOf(
  config: Pick<Config, 'wiki'>,
  titles: readonly string[],
  signal: AbortSignal,
): Promise<number[]> {
  const wiki = createWiki(config.wiki);
  const pages: number[] = [];
  for (const title of titles) {
    const found = await wiki.latestRevision(title, signal);
    if (found === null) throw new RequestError('not_found', `there is no article “${title}” in ${config.wiki.id}`);
    pages.push(found.page.id);
  }
  return pages;
}

function hashOf(url: string): string {
  if (parseHttpUrl(url) === null) throw new RequestError('invalid_url', `${url} is no http(s) address`);
  return hashCitation({ url, text: '' });
}

const DAY_MS = 24 * 3600 * 1000;
