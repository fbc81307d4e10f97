/** The processes of this machine, as /proc shows them. Those that are over, though not yet gone, don't count. */
import { readdirSync, readFileSync } from 'node:fs';

export interface Process {
  pid: number;
  group: number;
  /** Its command line, for people. */
  command: string;
}

/** Those that have this assignment in the environment they were started with: `NAME=value`. */
export function processesWith(assignment: string): Process[] {
  return processes().filter(({ pid }) => read(`/proc/${pid}/environ`).split('\0').includes(assignment));
}

export function processesOfGroup(group: number): Process[] {
  return processes().filter((process) => process.group === group);
}

function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => describeProcess(Number(name)) ?? []);
}

function describeProcess(pid: number): Process | null {
  // after the name, which is in parentheses and may hold anything: state, parent, group (proc(5))
  const [state, , group] = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
  const command = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim(); // gone as soon as a process begins to end
  if (group === undefined || state === 'Z' || command === '') return null;
  return { pid, group: Number(group), command };
}

/** '' for a process that has gone, or is somebody else's. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
