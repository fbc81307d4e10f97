/** Pieces of bytes → lines. A line that is too long is passed over and never held. */

export interface Line {
  /** From 1, blank lines counted. */
  number: number;
  /** Without the line break; null if it is longer than `maxBytes`. */
  bytes: Buffer | null;
  /** False for a last line without its line break. */
  isWhole: boolean;
}

/** Throws what `pieces` throws; a line that was not complete by then is not given. */
export async function* splitLines(pieces: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Line> {
  let [number, held, length] = [1, [] as Buffer[], 0];
  const take = (piece: Buffer) => {
    length += piece.length;
    if (length <= maxBytes) held.push(piece);
    else held = [];
  };
  const line = (isWhole: boolean): Line => ({ number, bytes: length > maxBytes ? null : Buffer.concat(held), isWhole });
  for await (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf(LINE_BREAK); end >= 0; end = piece.indexOf(LINE_BREAK, start)) {
      take(piece.subarray(start, end));
      yield line(true);
      [number, held, length, start] = [number + 1, [], 0, end + 1];
    }
    take(piece.subarray(start));
  }
  if (length > 0) yield line(false);
}

const LINE_BREAK = 0x0a;
