/** A Python script as a process that answers one JSON line for each it is given: the peers that benchmarks compare with. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { RefuseToStart } from '../../shared/errors.ts';

export interface PythonPeer {
  /** Throws RefuseToStart where Python, or a package that the script imports, is missing. */
  ask(question: object): Promise<unknown>;
  stop(): void;
}

/** `script`: path from the repository's root. */
export function startPython(python: string, script: string): PythonPeer {
  const child = spawn(python, [script], { stdio: ['pipe', 'pipe', 'pipe'] });
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
      if (done !== true) return JSON.parse(value);
      if (child.exitCode === null && child.pid !== undefined) await once(child, 'close');
      const reason = complaint.trim().split('\n').at(-1);
      throw new RefuseToStart(
        `${python} can't run ${script} (${reason}): \`pip install -r workers/models/training/requirements.txt\`, or set PYTHON.`,
      );
    },
    stop: () => child.stdin.end(),
  };
}
