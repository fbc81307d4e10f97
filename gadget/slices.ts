/** Work in small pieces while the browser has nothing else to do: a page never waits for it. */

/** With nothing to do `done` is called at once. Returns what stops it; null: it is done. */
export function inSlices<T>(items: readonly T[], work: (item: T) => void, done: () => void): (() => void) | null {
  let at = 0;
  let isStopped = false;
  const go = () => {
    if (isStopped) return;
    const end = performance.now() + SLICE_MS;
    while (at < items.length && performance.now() < end) work(items[at++] as T); // within the list
    if (at < items.length) later();
    else done();
  };
  const later = () => mw.requestIdleCallback(go, { timeout: LATEST_MS });
  if (items.length === 0) {
    done();
    return null;
  }
  later();
  return () => {
    isStopped = true;
  };
}

const SLICE_MS = 8;
/** A page that is never idle. */
const LATEST_MS = 500;
