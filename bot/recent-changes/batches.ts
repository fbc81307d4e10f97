/** Items one by one → items together: those that are there already, without waiting for more. */
import { setImmediate } from 'node:timers/promises';

/** In order, none empty, at most `most` each. The next item is asked for while a batch is worked on. */
export async function* inBatches<T>(items: AsyncIterable<T>, most: number): AsyncGenerator<T[]> {
  const iterator = items[Symbol.asyncIterator]();
  let coming = iterator.next();
  try {
    for (;;) {
      const batch: T[] = [];
      let item: IteratorResult<T> | null = await coming;
      while (item !== null && !item.done) {
        batch.push(item.value);
        coming = iterator.next();
        coming.catch(() => undefined); // it is heard when the next batch begins
        item = batch.length < most ? await Promise.race([coming, setImmediate(null)]) : null;
      }
      if (batch.length > 0) yield batch;
      if (item?.done) return;
    }
  } finally {
    // not awaited: it comes after the item that is asked for, which may never come
    iterator.return?.().catch(() => undefined);
  }
}
