/** What English Wikipedia calls its templates and their parameters: names with their redirects. */
import type { Claim } from '../../shared/citation.ts';

/** Inline templates that editors leave behind a doubtful claim. */
export const TRIGGERS: ReadonlyMap<string, NonNullable<Claim['trigger']>> = new Map([
  ...[
    'failed verification',
    'failedverification',
    'failed',
    'fv',
    'nicg',
    'not in citation',
    'not in citation given',
    'not in ref',
    'not in reference',
    'not in source',
    'notinsource',
    'not verified in body',
    'source does not support',
    'verification failed',
  ].map((name) => [name, 'failed_verification'] as const),
  ...[
    'citation needed',
    'citation required',
    'citationneeded',
    'cite needed',
    'citeneeded',
    'cb',
    'cn',
    'fact',
    'facts',
    'needs citation',
    'needs citations',
    'needs source',
    'need citation',
    'no source given',
    'ref needed',
    'ref-needed',
    'reference needed',
    'refneeded',
    'source needed',
    'source?',
    'unsourced-inline',
    'uncited-inline',
    'citation needed span',
    'cn-span',
    'cnspan',
    'fact span',
    'reference necessary',
  ].map((name) => [name, 'citation_needed'] as const),
]);

/** Cleanup tags as text, pasted from a rendered page: a regular expression. */
export const PASTED_TAGS = String.raw`\[(?:(?:citation|verification|clarification|page|better source) needed|failed verification)\]`;

/** Parameters of the citation templates (https://en.wikipedia.org/wiki/Help:Citation_Style_1), the first that is set wins. */
export const CITATION_PARAMETERS = {
  url: ['url', 'URL', 'chapter-url', 'chapterurl', 'contribution-url', 'section-url', 'article-url', 'entry-url'],
  archiveUrl: ['archive-url', 'archiveurl'],
  urlStatus: ['url-status', 'urlstatus', 'dead-url', 'deadurl'],
  title: ['title', 'chapter', 'article', 'entry', 'contribution', 'script-title'],
  accessDate: ['access-date', 'accessdate', 'access_date'],
  /** In the order in which a missing citation template is shown. */
  shown: [
    ...['author', 'last', 'last1', 'first', 'first1', 'chapter', 'title'],
    ...[
      'journal',
      'work',
      'newspaper',
      'website',
      'publisher',
      'date',
      'year',
      'volume',
      'issue',
      'page',
      'pages',
      'isbn',
    ],
  ],
} as const;

/** Identifiers that stand for an address where no URL is given; free full texts first. */
export const IDENTIFIERS: readonly (readonly [parameter: string, address: (id: string) => string])[] = [
  ['pmc', (id) => `https://www.ncbi.nlm.nih.gov/pmc/articles/PMC${id.replace(/^PMC/i, '')}/`],
  ['arxiv', (id) => `https://arxiv.org/abs/${id}`],
  ['eprint', (id) => `https://arxiv.org/abs/${id}`],
  ['doi', (id) => `https://doi.org/${id}`],
  ['DOI', (id) => `https://doi.org/${id}`],
  ['jstor', (id) => `https://www.jstor.org/stable/${id}`],
  ['hdl', (id) => `https://hdl.handle.net/${id}`],
  ['pmid', (id) => `https://pubmed.ncbi.nlm.nih.gov/${id}/`],
];

/** Templates whose address is an archived copy. */
export const ARCHIVE_TEMPLATES: ReadonlySet<string> = new Set(['webarchive', 'wayback']);

/** Templates inside a reference that do not name the source. */
export const NOT_A_SOURCE: ReadonlySet<string> = new Set([
  ...ARCHIVE_TEMPLATES,
  ...['dead link', 'deadlink', 'cbignore', 'subscription required', 'registration required'],
]);

/** The parameter that a reader sees of templates that only dress a text. */
export const VISIBLE_PARAMETERS: ReadonlyMap<string, string> = new Map([
  ['nowrap', '1'],
  ['nobr', '1'],
  ['small', '1'],
  ['flag', '1'],
  ['abbr', '1'],
  ['lang', '2'],
  ['circa', '1'],
]);

/** Words that begin a clause: what follows a marker in mid-sentence can be checked by itself. */
export const CLAUSE_OPENERS =
  /^(and|but|yet|so|while|whilst|although|though|whereas|which|who|whose|whom|where|when|because|since|until|before|after|as|with|having|despite|including)\b/i;

/** Words that begin a sentence which goes on from the one before. */
export const LEANING_OPENERS =
  /^(he|she|it|they|his|her|its|their|this|these|that|those|such|both|another|others?|there|(some|most|many|one) of|of (these|those)|the (former|latter|same|other|remaining|rest)|however|nonetheless|nevertheless|moreover|furthermore|additionally|also|then|later|afterwards|subsequently|instead|thus|therefore|hence|consequently|meanwhile|similarly|likewise|although|but|and|yet|despite|as a result|in (addition|response|contrast))\b/i;
