/** Where the repository lies, whether this runs from its sources or from .build/. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The nearest folder above this file that holds package.json. */
export function repositoryRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(`${folder}/package.json`)) folder = dirname(folder);
  return folder;
}
