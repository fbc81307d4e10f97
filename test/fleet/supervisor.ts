/**
 * What systemd does for a fleet: a program that ends by itself is started again. In: programs. Out: a hand on each, for faults. It
 * remembers what ended unasked, and how those that were asked to stop did.
 */
import type { Program } from './programs.ts';

export interface Supervisor {
  /** All of them, and until they answer. */
  start(programs: readonly Program[]): Promise<void>;
  /** Ends it and leaves it so. */
  take(
    program: Program,
    signal: NodeJS.Signals,
  ): Promise<{ code: number | null; signal: NodeJS.Signals | null; ms: number }>;
  /** Lets it run again, with other variables where they are given. */
  giveBack(program: Program, changes?: Record<string, string>): Promise<void>;
  /** How often each ended unasked. */
  unasked: ReadonlyMap<string, number>;
  /** Watches no more, and ends these. */
  stop(programs: readonly Program[]): Promise<void>;
}

export function createSupervisor(): Supervisor {
  const watched = new Map<Program, Record<string, string>>();
  const taken = new Set<Program>();
  const unasked = new Map<string, number>();
  const look = async () => {
    for (const [program, changes] of watched) {
      if (taken.has(program) || program.isRunning()) continue;
      unasked.set(program.name, (unasked.get(program.name) ?? 0) + 1);
      await program.start(changes);
    }
  };
  const timer = setInterval(() => void look().catch(() => undefined), RESTART_MS);
  return {
    unasked,
    async start(programs) {
      for (const program of programs) {
        await program.start();
        watched.set(program, {});
      }
      await Promise.all(programs.map((program) => program.answers()));
    },
    async take(program, signal) {
      taken.add(program);
      return program.end(signal);
    },
    async giveBack(program, changes = {}) {
      watched.set(program, changes);
      await program.start(changes);
      taken.delete(program);
    },
    async stop(programs) {
      clearInterval(timer);
      watched.clear();
      await Promise.all(programs.map((program) => program.end('SIGKILL')));
    },
  };
}

/** As a unit's RestartSec. */
const RESTART_MS = 1500;
