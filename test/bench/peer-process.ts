/** A peer as a process that answers one JSON line for each it is given: what benchmarks compare with, in Python or Node. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { RefuseToStart } from '../../shared/errors.ts';
import { parseJson } from '../../shared/json.ts';

export interface PeerProcess {
  /** Throws RefuseToStart where the program, or a package that the script imports, is missing. */
  ask(question: object): Promise<unknown>;
  stop(): void;
}

/** `script`: path from the repository's root. */
export function startPython(python: string, script: string): PeerProcess {
  return startPeerProcess([python, script], PYTHON_REMEDY);
}

export const PYTHON_REMEDY = '`pip install -r workers/models/training/requirements.txt`, and set PYTHON';

/** `remedy`: how to get what is missing. */
export function startPeerProcess([program = '', ...args]: readonly string[], remedy: string): PeerProcess {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (text) => {
    complaint += text;
  });
  // the answer that doesn't come says it
  child.stdin.on('error', () => {});
  child.on('error', (error) => {
    complaint = error.message;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(question) {
      child.stdin.write(`${JSON.stringify(question)}\n`);
      const { value, done } = await lines.next();
      if (done !== true) return parseJson(value);
      if (child.exitCode === null && child.pid !== undefined) await once(child, 'close');
      const reason = complaint.trim().split('\n').at(-1);
      throw new RefuseToStart(`peer not installed (${reason}): ${remedy}.`);
    },
    stop: () => child.stdin.end(),
  };
}
