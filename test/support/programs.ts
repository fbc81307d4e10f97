/**
 * Programs of the tests as processes of their own: bundled from the sources as they are, or as another version of them would be.
 * In: the file of a program. Out: processes that say when they are ready, and how they ended.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type Plugin, stop } from 'esbuild';
import { repositoryRoot } from '../../shared/root.ts';

/** By the end of a file's path: what stands there now, and what stands there in another version. */
export type Changes = Record<string, readonly (readonly [string, string])[]>;

export interface Program {
  /** Resolves once it says that it is ready. */
  start(environment: Record<string, string>): Promise<RunningProgram>;
  remove(): void;
}

export interface RunningProgram {
  pid: number;
  send(message: object): void;
  /** Its exit code, or the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<number | string | null>;
}

/** `file`: from the root of the repository. Throws where a change finds nothing to change. */
export async function bundleProgram(file: string, changes: Changes = {}): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), 'sidelight-program-'));
  symlinkSync(join(repositoryRoot(), 'node_modules'), join(folder, 'node_modules'));
  const outfile = join(folder, 'program.mjs');
  await build({
    entryPoints: [join(repositoryRoot(), file)],
    ...{ outfile, bundle: true, packages: 'external', platform: 'node', format: 'esm', logLevel: 'silent' },
    plugins: [changed(changes)],
  });
  await stop(); // esbuild's own process, which would outlive the test
  return {
    start: (environment) => start(outfile, environment),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function changed(changes: Changes): Plugin {
  return {
    name: 'another version',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const [, edits = []] = Object.entries(changes).find(([end]) => path.endsWith(`/${end}`)) ?? [];
        return {
          contents: edits.reduce((text, edit) => replace(text, edit, path), readFileSync(path, 'utf8')),
          loader: 'ts',
        };
      });
    },
  };
}

function replace(text: string, [before, after]: readonly [string, string], path: string): string {
  if (!text.includes(before)) throw new Error(`${path} has no ${before}`);
  return text.replace(before, after);
}

async function start(file: string, environment: Record<string, string>): Promise<RunningProgram> {
  const child = spawn(process.execPath, [file], {
    // nothing of ours but the mark by which one that is left over is known (leftovers.ts)
    env: { PATH: process.env.PATH, SIDELIGHT_TEST: process.env.SIDELIGHT_TEST, ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = new Promise<number | string | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? signal)),
  );
  await Promise.race([
    new Promise((resolve) => child.once('message', resolve)),
    ended.then((how) => Promise.reject(new Error(`${file} ended: ${how}`))),
  ]);
  return {
    pid: child.pid ?? 0,
    send: (message) => void child.send(message),
    end: (signal) => end(child, signal, ended),
  };
}

function end(child: ChildProcess, signal: NodeJS.Signals, ended: Promise<number | string | null>) {
  child.kill(signal);
  return ended;
}
