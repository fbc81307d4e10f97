/**
 * Cores that busy threads share: each gets one, or, where there are more threads than cores, all get the same part of one (processor
 * sharing, as a fair scheduler does). In: seconds of work. Out: a call when it is done.
 */
import { createHeap } from './heap.ts';

export interface Machine {
  work(seconds: number, onDone: () => void): void;
  /** Seconds of cores so far. */
  used(): number;
}

export function createMachine(
  cores: number,
  clock: { readonly now: number },
  at: (time: number, action: () => void) => void,
): Machine {
  // work that each running thread has been given since the beginning: what was begun at 3 and takes 2 is done at 5
  let given = 0;
  let since = 0;
  let used = 0;
  let planned = 0;
  const running = createHeap<() => void>();
  const speed = () => Math.min(1, cores / running.size);
  const advance = () => {
    const seconds = clock.now - since;
    since = clock.now;
    if (running.size === 0) return;
    given += seconds * speed();
    used += seconds * Math.min(cores, running.size);
  };
  const plan = () => {
    const next = running.least();
    const plannedNow = ++planned;
    if (next === undefined) return;
    at(clock.now + Math.max(0, next.key - given) / speed(), () => plannedNow === planned && finish());
  };
  const finish = () => {
    advance();
    const done = running.take();
    plan();
    done?.value();
  };
  return {
    work(seconds, onDone) {
      advance();
      running.put(given + seconds, onDone);
      plan();
    },
    used() {
      advance();
      return used;
    },
  };
}
