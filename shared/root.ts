/** Where the repository lies, whether this runs from its sources or from .build/. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';
import { RefuseToStart } from './errors.ts';

/** The nearest folder above this file that holds package.json. Throws RefuseToStart where there is none. */
export function repositoryRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(`${folder}/package.json`)) {
    if (folder === dirname(folder)) throw new RefuseToStart(`no package.json above ${fileURLToPath(import.meta.url)}`);
    folder = dirname(folder);
  }
  return folder;
}

/** As package.json says it. */
export function programVersion(): string {
  const text = readFileSync(`${repositoryRoot()}/package.json`, 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

/** The compiled module of a source: its neighbour where this runs from .build/, else the one there. Other processes load no other. */
export function compiled(source: URL): URL {
  const path = fileURLToPath(source).replace(/\.ts$/, '.js');
  const fromRoot = relative(repositoryRoot(), path);
  return pathToFileURL(fromRoot.startsWith('.build/') ? path : `${repositoryRoot()}/.build/${fromRoot}`);
}
