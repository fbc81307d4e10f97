/**
 * Stage `articles`: a revision → its claims, compared with those of the revision before. Out: one `verification` a pair in
 * scope, with its sources as children, and one `review` of the revision. A page that nobody can read gives nothing to verify.
 */

import { GivenUp } from '../shared/children/children.ts';
import type { ClaimPair, Page } from '../shared/citation.ts';
import { hashCitations } from '../shared/hash.ts';
import type { Logger } from '../shared/logger.ts';
import type { Anchor, Handler, Input, Next, StandingClaim } from '../shared/pipeline.ts';
import { type Fingerprint, fingerprint } from '../shared/shingles.ts';
import { sketchWords } from '../shared/sketch.ts';
import type { RevisionHtml } from './parsoid.ts';
import type { Wiki } from './wiki.ts';

export interface ArticlesOptions {
  wiki: Pick<Wiki, 'parsoidHtml' | 'currentPage'>;
  /** Parsoid HTML and the page's title → every claim with its citations. */
  extract(html: string, title: string, signal?: AbortSignal): Promise<{ pairs: ClaimPair[] }>;
  /** Whether a page is left alone by patrol: its findings follow, and nothing is verified. Default: none is. */
  isOptedOut?: (wiki: string, pageId: number) => Promise<boolean>;
  /** Told what became of an article that somebody asked for. */
  onRead?: (request: string, article: ReadArticle) => Promise<void>;
  log: Logger;
}

/** Claims on the page, and how many of them are checked now; or why there is nothing to read. */
export type ReadArticle = { page: Page } & ({ kind: 'read'; claims: number; checking: number } | { kind: Unread });

type Unread = Exclude<RevisionHtml['kind'], 'html'>;

/** Throws TransientError if the wiki does not answer. */
export function createArticles({ wiki, extract, isOptedOut, onRead, log }: ArticlesOptions): Handler<'articles'> {
  return async (input, { signal }) => {
    const read = await readPairs(input.revision, input.page.title, signal);
    if (typeof read === 'string') {
      log.info({ page: input.page, revision: input.revision, outcome: read }, 'revision not read');
      await tell(input, { page: input.page, kind: read });
      return { answer: null, next: read === 'missing' ? await deletion(input, signal) : [] };
    }
    const touched = await pairsInScope(read, input, signal);
    const article = touched.length === 0 ? [] : fingerprint(textOf(read));
    const next = [revisionReview(input, read, touched), ...touched.map((pair) => verification(input, pair, article))];
    await tell(input, { page: input.page, kind: 'read', claims: read.length, checking: touched.length });
    return { answer: null, next };
  };

  /** Or why there is nothing to read. */
  async function readPairs(revision: number, title: string, signal: AbortSignal): Promise<ClaimPair[] | Unread> {
    const rendered = await wiki.parsoidHtml(revision, signal);
    if (rendered.kind !== 'html') return rendered.kind;
    try {
      return distinct((await extract(rendered.html, title, signal)).pairs);
    } catch (error) {
      if (error instanceof GivenUp) return 'too_large';
      throw error;
    }
  }

  async function tell({ request }: Input<'articles'>, article: ReadArticle): Promise<void> {
    if (request !== undefined) await onRead?.(request, article);
  }

  async function deletion({ wiki: wikiId, page, revision }: Input<'articles'>, signal: AbortSignal): Promise<Next[]> {
    if ((await wiki.currentPage(page.id, signal)) !== null) return [];
    return [{ stage: 'review', input: { kind: 'page_deleted', wiki: wikiId, page, event: `revision-${revision}` } }];
  }

  async function pairsInScope(pairs: ClaimPair[], input: Input<'articles'>, signal: AbortSignal) {
    switch (await scopeOf(input)) {
      case 'none':
        return [];
      case 'all':
        return pairs;
      case 'chosen':
        return chosenPairs(pairs, input.chosen ?? []);
      case 'touched':
        return touchedPairs(pairs, input, signal);
    }
  }

  /** What a person asks for is checked, also on a page that opted out. */
  async function scopeOf({ wiki: wikiId, page, scope, request }: Input<'articles'>): Promise<typeof scope> {
    if (request !== undefined || scope === 'none') return scope;
    return (await isOptedOut?.(wikiId, page.id)) === true ? 'none' : scope;
  }

  /** Pairs that the previous revision does not have, newly cited sources first. If that can't be read, nobody knows: all of them. */
  async function touchedPairs(pairs: ClaimPair[], input: Input<'articles'>, signal: AbortSignal) {
    if (input.previous === null) return pairs;
    const before = await readPairs(input.previous, input.page.title, signal);
    if (typeof before === 'string') return pairs;
    const keys = new Set(before.map(changeKey));
    const cited = new Set(before.flatMap(({ citations }) => citations.map(({ hash }) => hash)));
    const isNew = ({ citations }: ClaimPair) => citations.some(({ hash }) => !cited.has(hash));
    const touched = pairs.filter((pair) => !keys.has(changeKey(pair)));
    return [...touched.filter(isNew), ...touched.filter((pair) => !isNew(pair))];
  }
}

function textOf(pairs: readonly ClaimPair[]): string {
  return pairs.map(({ claim }) => `${claim.context} ${claim.text}`).join('\n');
}

function chosenPairs(pairs: ClaimPair[], chosen: readonly Anchor[]): ClaimPair[] {
  const keys = new Set(chosen.map(anchorKey));
  return pairs.filter((pair) => keys.has(anchorKey(anchor(pair))));
}

function revisionReview(input: Input<'articles'>, pairs: ClaimPair[], touched: ClaimPair[]): Next {
  const checking = new Set(touched);
  const anchors = pairs.map((pair) => standing(pair, checking.has(pair)));
  const counted = { claims: pairs.length, checking: touched.length };
  const { reverts, restored } = input;
  const asked = { ...(reverts !== undefined && { reverts }), ...(restored !== undefined && { restored }) };
  return { stage: 'review', input: { kind: 'revision', ...place(input), anchors, ...counted, ...asked } };
}

function standing(pair: ClaimPair, isChecked: boolean): StandingClaim {
  const sources = pair.citations.map(({ hash }) => hash);
  const checking = isChecked ? { checking: true as const } : {};
  return { ...anchor(pair), sources, words: sketchWords(pair.claim.text), ...checking };
}

function verification(input: Input<'articles'>, pair: ClaimPair, article: Fingerprint): Next {
  const at = place(input);
  const suggest = pair.claim.trigger === 'failed_verification' ? 'always' : 'below_threshold';
  const children = pair.citations.map((citation): Next => {
    return { stage: 'sources', input: { ...at, claimHash: pair.claim.hash, citation } };
  });
  return { stage: 'verification', input: { ...at, ...pair, article, suggest }, children };
}

/** A claim that stands twice on a page behind the same sources is one claim. */
function distinct(pairs: ClaimPair[]): ClaimPair[] {
  return [...new Map(pairs.map((pair) => [pairKey(pair), pair])).values()];
}

function anchor({ claim, citations }: ClaimPair): Anchor {
  return { claim: claim.hash, citations: hashCitations(citations) };
}

function anchorKey({ claim, citations }: Anchor): string {
  return `${claim} ${citations}`;
}

function pairKey(pair: ClaimPair): string {
  return anchorKey(anchor(pair));
}

/** A tag, an archived copy, or other words in what the claim leans on change neither claim nor sources, and yet ask for a look. */
function changeKey(pair: ClaimPair): string {
  const archives = pair.citations.map(({ archiveUrl, urlStatus }) => `${archiveUrl} ${urlStatus}`);
  return [pairKey(pair), pair.claim.trigger, pair.claim.antecedent, ...archives].join();
}

function place({ wiki, page, revision, request }: Input<'articles'>) {
  return { wiki, page, revision, ...(request !== undefined && { request }) };
}
