/** What comes next, by a number: a binary heap. Of equal numbers, the one that was put in first. */
export interface Heap<T> {
  put(key: number, value: T): void;
  /** The least key with its value. */
  least(): { key: number; value: T } | undefined;
  take(): { key: number; value: T } | undefined;
  readonly size: number;
}

export function createHeap<T>(): Heap<T> {
  const items: { key: number; order: number; value: T }[] = [];
  let puts = 0;
  const isBefore = (a: number, b: number) => {
    const [x, y] = [items[a], items[b]];
    if (x === undefined || y === undefined) return x !== undefined;
    return x.key < y.key || (x.key === y.key && x.order < y.order);
  };
  const swap = (a: number, b: number) => {
    const [x, y] = [items[a], items[b]];
    if (x === undefined || y === undefined) return;
    items[a] = y;
    items[b] = x;
  };
  return {
    get size() {
      return items.length;
    },
    put(key, value) {
      items.push({ key, order: puts++, value });
      for (let at = items.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1;
        if (!isBefore(at, parent)) break;
        swap(at, parent);
        at = parent;
      }
    },
    least: () => items[0],
    take() {
      swap(0, items.length - 1);
      const taken = items.pop();
      for (let at = 0; ; ) {
        const child = isBefore(2 * at + 2, 2 * at + 1) ? 2 * at + 2 : 2 * at + 1;
        if (!isBefore(child, at)) break;
        swap(at, child);
        at = child;
      }
      return taken;
    },
  };
}
