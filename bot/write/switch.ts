/**
 * The page that anybody who may edit it stops the bot with. In: its text. Out: whether to go on. As bots commonly have it: while
 * the page is missing or empty the bot runs; the word `run` says so outright; any other text, whatever it says, stops it.
 */

/** Null: there is no such page. */
export function isSwitchedOn(text: string | null): boolean {
  const said = (text ?? '').replace(/<!--[\s\S]*?-->/g, '').trim();
  return said === '' || said.toLowerCase() === 'run';
}
