/** What comes from whole wikis: published figures, each with its source; deploy/capacity.md says what follows from them. */

export interface WikiLoad {
  /** A second: edits, or articles of a pass. */
  editsPerSecond(days: number): number;
  /** Null: as the measurements have it. */
  claimsPerEdit: number | null;
  /** Whether somebody waits for what an edit leads to. */
  isLive: boolean;
  source: string;
}

/** Citations of English Wikipedia in February 2024: https://arxiv.org/abs/2406.19291 */
export const ENWIKI_CITATIONS = 44_700_000;
/** 29.3 million in 6.1 million articles, May 2020: https://arxiv.org/abs/2007.07022 */
export const CITATIONS_AN_ARTICLE = 29.3 / 6.1;
/** 100 million edits of all pages in about 21 months, spring 2014 to January 2016. */
const ENWIKI_EDITS = 1.8;
/** Edits that all Wikipedias had had by about 2015, ÷ those that English Wikipedia had had in spring 2014. */
const ALL_TO_ENWIKI = 2_000 / 709.7;

export const WIKIS = {
  enwiki: {
    editsPerSecond: () => ENWIKI_EDITS,
    ...{ claimsPerEdit: null, isLive: true },
    source: 'https://en.wikipedia.org/wiki/Wikipedia:Statistics, https://stoppress.co.nz/news/wiki/',
  },
  all: {
    editsPerSecond: () => ENWIKI_EDITS * ALL_TO_ENWIKI,
    ...{ claimsPerEdit: null, isLive: true },
    source: 'the same, and http://www.beutlerink.com/wp60/wikipedias-multiverse',
  },
  pass: {
    editsPerSecond: (days) => ENWIKI_CITATIONS / CITATIONS_AN_ARTICLE / (days * 86_400),
    ...{ claimsPerEdit: CITATIONS_AN_ARTICLE, isLive: false },
    source: 'https://arxiv.org/abs/2406.19291, https://arxiv.org/abs/2007.07022',
  },
} as const satisfies Record<string, WikiLoad>;

export type WikiName = keyof typeof WIKIS;
