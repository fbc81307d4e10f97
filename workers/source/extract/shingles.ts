/** How much of one text stands in another, by runs of three words; case and punctuation do not count. */

/** Share of a block's runs that the texts it was made of have. A short text counts as one run. */
export type Coverage = (text: string) => number;

export function coverage(texts: Iterable<string>): Coverage {
  const known = new Set<string>();
  for (const text of texts) for (const run of runs(text)) known.add(run);
  return (text) => {
    const asked = runs(text);
    return asked.length === 0 ? 0 : asked.filter((run) => known.has(run)).length / asked.length;
  };
}

/** Words in lower case, one space apart. */
export function plain(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}

function runs(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const found = words
    .slice(0, Math.max(words.length - SIZE + 1, 0))
    .map((_, at) => words.slice(at, at + SIZE).join(' '));
  return found.length > 0 || words.length === 0 ? found : [words.join(' ')];
}

const SIZE = 3;
