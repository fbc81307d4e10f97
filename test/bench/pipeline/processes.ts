/** What processes have used, as Linux counts it: seconds of cores with those of their children, and memory. */
import { readdirSync, readFileSync } from 'node:fs';

interface Stat {
  pid: number;
  parent: number;
  /** Of its own threads, and of children that have ended. */
  seconds: number;
  /** Resident. */
  megabytes: number;
}

/** Of a process and all that it started. */
export function usedBy(pid: number): { seconds: number; megabytes: number } {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (read(Number(name)) ?? []) : []));
  const tree = new Set([pid]);
  for (let size = 0; size !== tree.size; ) {
    size = tree.size;
    for (const { pid: child, parent } of all) if (tree.has(parent)) tree.add(child);
  }
  const own = all.filter((stat) => tree.has(stat.pid));
  return {
    seconds: own.reduce((sum, { seconds }) => sum + seconds, 0),
    megabytes: own.reduce((sum, { megabytes }) => sum + megabytes, 0),
  };
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html; null if it ended meanwhile. */
function read(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + (fields[at] ?? 0), 0);
    return { pid, parent, seconds: ticks / TICKS_A_SECOND, megabytes: ((fields[21] ?? 0) * PAGE_BYTES) / 1e6 };
  } catch {
    return null;
  }
}

/** USER_HZ of every Linux that Node runs on. */
const TICKS_A_SECOND = 100;
const PAGE_BYTES = 4096;
