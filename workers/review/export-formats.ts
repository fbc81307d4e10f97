/** What can be exported, for the command line: loads nothing else. */
export const EXPORTS = ['pairs', 'judgements', 'decisions'] as const;
export type Export = (typeof EXPORTS)[number];
