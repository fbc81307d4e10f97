/**
 * No process outlives the test file that started it. Every process inherits a mark in its environment; one that still bears
 * it at the end of the file is named and killed.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Process, processesWith } from './processes.ts';

/** Marks all processes that this one starts from now on, until the next mark. */
export function markProcesses(): string {
  const mark = randomUUID();
  process.env.SIDELIGHT_TEST = mark;
  return `SIDELIGHT_TEST=${mark}`;
}

/** Throws, naming them, if processes that bear the mark go on for more than `graceMs`. They are killed. */
export async function refuseLeftovers(mark: string, graceMs = 3000): Promise<void> {
  const deadline = Date.now() + graceMs;
  let left = processesWith(mark);
  while (left.length > 0 && Date.now() < deadline) {
    await wait(50);
    left = processesWith(mark);
  }
  if (left.length === 0) return;
  for (const each of left) kill(each);
  throw new Error(`left over by this file, and killed now:\n${left.map(describeProcess).join('\n')}`);
}

function describeProcess({ pid, command }: Process): string {
  return `  ${pid} ${command.slice(0, 200)}`;
}

/** With its whole group, if it leads one: redis-server overwrites its environment and bears no mark. */
function kill({ pid, group }: Process): void {
  try {
    process.kill(pid === group ? -group : pid, 'SIGKILL');
  } catch {
    // it has just ended by itself
  }
}
