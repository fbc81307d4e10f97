/** What a reader selected of an article, without its markers and badges. In: the page's selection. Out: text. Changes nothing. */
import { readRange } from './reading.ts';

/** Characters of a sentence that the service takes. */
export const LONGEST = 1000;
export const SHORTEST = 3;

/** `content`: of the article; null while there is none. A selection that begins or ends elsewhere is none. */
export function watchSelection(content: () => Element | null, selected: (read: () => string) => void): void {
  document.addEventListener('selectionchange', () => {
    const selection = document.getSelection();
    const article = content();
    if (selection === null || selection.isCollapsed || article === null) return;
    const range = selection.getRangeAt(0);
    // what is read costs time, and a selection changes with each movement of the pointer: whoever needs it reads it
    if (article.contains(range.commonAncestorContainer)) selected(() => readSelection(range));
  });
}

function readSelection(range: Range): string {
  return readRange(range).replace(/\s+/g, ' ').trim();
}
