/**
 * What is left of markup in a text that was read from HTML: brackets around nothing, links that the wiki could not read,
 * `[[Datei:Ship.jpg|mini|At Orrin]]`, and tags pasted from a rendered page. Takes it out and moves the marks.
 */
import type { Run } from './block.ts';
import { PASTED_TAGS } from './english.ts';

export function withoutResidue(run: Run): Run {
  const found = [...run.text.matchAll(RESIDUE)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
  if (found.length === 0) return run;
  let next = 0;
  let removed = 0;
  const marks = run.marks.map((mark) => {
    for (let span = found[next]; span !== undefined && span.end <= mark.offset; span = found[next]) {
      removed += span.end - span.start;
      next += 1;
    }
    const inside = found[next];
    return { ...mark, offset: Math.min(mark.offset, inside?.start ?? mark.offset) - removed };
  });
  return { text: run.text.replace(RESIDUE, ''), marks };
}

const RESIDUE = new RegExp(
  `\\s\\([\\s,;:]*\\)|\\[\\[[^[\\]]*\\]\\]\\s?|(?:${PASTED_TAGS})(?:\\s+(?=[.,;:!?)]))?`,
  'gi',
);
