// Prints what is in place, one word a line: node (new enough), packages (as the lock file wants them), and the native packages that load.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const root = new URL('../../', import.meta.url);
const load = createRequire(root);

const CHECKS = {
  node: () => isAtLeast(process.versions.node, read('package.json').engines.node.replace('>=', '')),
  packages: arePackagesInstalled,
  // shared/sql/better-sqlite3.ts says which is for which Node
  'better-sqlite3': () =>
    new (load(isAtLeast(process.versions.node, '22') ? 'better-sqlite3-13' : 'better-sqlite3'))(':memory:').close(),
  'faiss-node': () => new (load('faiss-node').IndexFlatIP)(2),
};

for (const [name, check] of Object.entries(CHECKS)) {
  if (passes(check)) process.stdout.write(`${name}\n`);
}

function passes(check) {
  try {
    return check() !== false;
  } catch {
    return false; // missing, unreadable, or built for another Node
  }
}

/** npm writes the second lock file when it has finished. Packages for other platforms are not in it. */
function arePackagesInstalled() {
  const there = read('node_modules/.package-lock.json').packages;
  return Object.entries(read('package-lock.json').packages).every(
    ([path, wanted]) =>
      path === '' || (there[path] === undefined ? wanted.optional === true : there[path].version === wanted.version),
  );
}

function isAtLeast(version, least) {
  return version.localeCompare(least, 'en', { numeric: true }) >= 0;
}

function read(path) {
  return JSON.parse(readFileSync(new URL(path, root), 'utf8'));
}
