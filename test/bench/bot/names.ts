/** What the benchmark of the bot can measure. */
export const BOT_PARTS = ['extraction', 'revisions', 'lag', 'memory'] as const;
export type BotPart = (typeof BOT_PARTS)[number];
