/** A folder of SQLite files that are moved or restored: who opens one of them is refused until all are whole. In: a folder. Out: the mark. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { markOfMove } from '../../shared/sql/stores.ts';

/** The mark stays where `fill` fails or is killed: it is to be repeated. */
export async function marked<T>(folder: string | null, fill: () => Promise<T>): Promise<T> {
  if (folder === null) return fill();
  const mark = markOfMove(folder);
  await mkdir(folder, { recursive: true });
  await writeFile(mark, '', { flush: true });
  const filled = await fill();
  await rm(mark);
  return filled;
}
