/** The formats in which a worklist is exported. Apart, so that the command line can name them and load nothing else. */
export const FORMATS = ['csv', 'json', 'wikitext'] as const;
export type Format = (typeof FORMATS)[number];
