/** Runs the built `sidelight` command as a person would. In: arguments and settings. Out: what it said, and its exit code. */
import { type ChildProcess, execFile } from 'node:child_process';
import { repositoryRoot } from '../../shared/root.ts';

export interface Answer {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** `onStart`: for a test that ends it. Settings of this process that choose a wiki or a gateway don't count. */
export function runCommand(
  command: readonly string[],
  settings: Record<string, string> = {},
  onStart: (child: ChildProcess) => void = () => undefined,
): Promise<Answer> {
  const root = repositoryRoot();
  const { WIKI, SOURCE_GATEWAY, ...environment } = process.env;
  const env = { ...environment, MODELS_DIR: `${root}/workers/models`, ...settings };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [`${root}/.build/deploy/main.js`, ...command],
      { env },
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
    onStart(child);
  });
}

/** The one line with which the command refuses. Throws if it does not end with 1, or says more than that. */
export async function refusalOf(command: readonly string[], settings?: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await runCommand(command, settings);
  if (code === 1 && stdout === '' && stderr.trimEnd().split('\n').length === 1) return stderr.trim();
  throw new Error(`exit ${code}:\n${stdout}${stderr}`);
}
