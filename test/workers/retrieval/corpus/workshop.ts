/** A folder with generations of the corpus and with what they are built of. In: lines and pages. Out: files, and what a build needs. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../../../shared/logger.ts';
import type { BuildDependencies, BuildProgress } from '../../../../workers/retrieval/corpus/build.ts';
import { openEmbeddedEngine } from '../../../../workers/retrieval/corpus/sparse-engine.ts';
import type { Line } from './isle.ts';
import { wordEncoder } from './word-encoder.ts';

export interface Workshop {
  directory: string;
  dependencies: BuildDependencies;
  progress: BuildProgress[];
  /** One line a page, or the given text as it is. */
  jsonl(name: string, lines: readonly (Line | string)[]): string;
  /** A folder of saved pages, by file name. */
  folder(name: string, files: Record<string, string>): string;
  remove(): void;
}

export function openWorkshop(directory = mkdtempSync(join(tmpdir(), 'sidelight-corpus-'))): Workshop {
  const progress: BuildProgress[] = [];
  const dataDir = join(directory, 'data');
  const write = (path: string, text: string) => {
    writeFileSync(path, text);
    return path;
  };
  return {
    ...{ directory, progress },
    dependencies: {
      ...{ dataDir, engine: openEmbeddedEngine(dataDir), encoder: wordEncoder, log: createLogger('silent', 'test') },
      onProgress: (now) => void progress.push(now),
    },
    jsonl: (name, lines) => write(join(directory, name), lines.map(toLine).join('')),
    folder(name, files) {
      mkdirSync(join(directory, name), { recursive: true });
      for (const [file, text] of Object.entries(files)) write(join(directory, name, file), text);
      return join(directory, name);
    },
    remove: () => rmSync(directory, { recursive: true }),
  };
}

function toLine(line: Line | string): string {
  return `${typeof line === 'string' ? line : JSON.stringify(line)}\n`;
}
