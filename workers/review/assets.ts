/**
 * Style sheets, scripts and icon of the review page, read once. In: nothing. Out: files with the address they are served at. Every
 * `.css` of `static/` joins the one style sheet, every `.js` is a module beside the others: a new file needs no line here.
 */
import { readdirSync, readFileSync } from 'node:fs';
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
  /** The module that every page loads. It imports the others. */
  script: Asset;
  /** Runs before anything is drawn: a page in the wrong colours would flash. */
  theme: Asset;
  icon: Asset;
  /** All modules by file name, under one hash, so that they find each other: `assets.modules['review.js']`. */
  modules: Readonly<Record<string, Asset>>;
}

export function readAssets(): Assets {
  const files = readdirSync(FOLDER).sort();
  const sheets = files.filter((file) => file.endsWith('.css') && !FIRST.includes(file));
  const modules = readModules(files.filter((file) => file.endsWith('.js')));
  return {
    style: asset('review.css', 'text/css; charset=utf-8', [...FIRST, ...sheets].map(read).join('\n')),
    script: pick(modules, 'review.js'),
    theme: pick(modules, 'theme.js'),
    icon: asset('icon.svg', 'image/svg+xml', read('icon.svg')),
    modules,
  };
}

/** Every asset once. */
export function listAssets({ style, icon, modules }: Assets): Asset[] {
  return [style, icon, ...Object.values(modules)];
}

// the compiler copies no style sheets to .build/
const FOLDER = join(repositoryRoot(), 'workers/review/static');
/** What the others build on. */
const FIRST = ['base.css', 'controls.css'];

function readModules(names: readonly string[]): Record<string, Asset> {
  const bodies = names.map((name) => [name, read(name)] as const);
  const hash = hashText(bodies.map((file) => file.join('\n')).join('\n'));
  return Object.fromEntries(
    bodies.map(([name, body]) => [
      name,
      { path: `/static/${hash}/${name}`, type: 'text/javascript; charset=utf-8', body },
    ]),
  );
}

function pick(modules: Readonly<Record<string, Asset>>, name: string): Asset {
  const found = modules[name];
  if (found === undefined) throw new Error(`no ${name} in ${FOLDER}`);
  return found;
}

function asset(name: string, type: string, body: string): Asset {
  return { path: `/static/${hashText(body)}/${name}`, type, body };
}

function read(file: string): string {
  return readFileSync(join(FOLDER, file), 'utf8');
}
