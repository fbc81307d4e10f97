/** Style sheet, script and icon of the review page, read once. In: nothing. Out: files with the address they are served at. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashText } from '../../shared/hash.ts';
import { repositoryRoot } from '../../shared/root.ts';

export interface Asset {
  /** Carries the hash of the content, so that a browser may keep it for ever. */
  path: string;
  type: string;
  body: string;
}

export interface Assets {
  style: Asset;
  script: Asset;
  icon: Asset;
}

export function readAssets(): Assets {
  // the compiler copies no style sheets to .build/
  const folder = join(repositoryRoot(), 'workers/review/static');
  const asset = (name: string, type: string, files: readonly string[] = [name]): Asset => {
    const body = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
    return { path: `/static/${hashText(body)}/${name}`, type, body };
  };
  return {
    style: asset('review.css', 'text/css; charset=utf-8', ['base.css', 'controls.css', 'queue.css', 'finding.css']),
    script: asset('triage.js', 'text/javascript; charset=utf-8'),
    icon: asset('icon.svg', 'image/svg+xml'),
  };
}
