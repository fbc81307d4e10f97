/**
 * Texts as words, so that a claim is found again in a page's HTML and in its wikitext, whatever stands between its letters.
 * In: text. Out: words, and whether a text ends as a claim does. Pure.
 */

/** A word; null: something that shows a text which is not known, such as a template in wikitext. */
export type Word = string | null;

/** Letters and digits of any script, lower case. */
export function words(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/**
 * Share of the claim's letters, 0 to 1, that stand literally at the end of the text; 0 if the text ends otherwise. The claim
 * begins at the beginning of a word; how it is parted into words does not matter (`10^6` and `10<sup>6</sup>`).
 */
export function endsAs(text: readonly Word[], claim: string): number {
  const letters = words(claim).join('');
  let reached = new Map([[letters.length, 0]]);
  let best = 0;
  for (let i = text.length - 1; i >= 0 && reached.size > 0; i--) {
    reached = stepBack(reached, text[i] as Word, letters); // i is within the text
    best = Math.max(best, reached.get(0) ?? 0);
    reached.delete(0);
  }
  return letters === '' ? 0 : best / letters.length;
}

/** Whether the first `end` words, all of them known, end as the claim of these letters does: it is compared with every place of a page. */
export function endsLiterally(text: readonly string[], end: number, letters: string): boolean {
  let left = letters.length;
  for (let i = Math.min(end, text.length) - 1; i >= 0 && left > 0; i--) {
    const word = text[i] ?? '';
    if (!letters.endsWith(word, left)) return false;
    left -= word.length;
  }
  return left === 0 && letters !== '';
}

/** The first words of a text, with what stands unknown between them. */
export function firstWords(text: readonly Word[], count: number): Word[] {
  let left = count;
  return text.filter((word) => left > 0 && (word === null || left-- > 0));
}

/** Letters of the claim that are yet to be met → letters that were met literally. */
type Reached = Map<number, number>;

function stepBack(reached: Reached, word: Word, letters: string): Reached {
  const next: Reached = new Map();
  const reach = (left: number, met: number) => {
    if (left >= 0 && met >= (next.get(left) ?? 0)) next.set(left, met);
  };
  reached.forEach((met, left) => {
    if (word === null) for (let hidden = 0; hidden <= MOST_HIDDEN; hidden++) reach(left - hidden, met);
    else if (letters.endsWith(word, left)) reach(left - word.length, met + word.length);
  });
  return next;
}

/** Letters that a template in running text may show. */
const MOST_HIDDEN = 80;
