/** What runs beside our own code: pinned by its hash, installed without scripts, and listed with its licence by a tool. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import semver from 'semver';

interface Locked {
  version: string;
  engines?: { node?: string };
  optional?: boolean;
  integrity?: string;
  dev?: boolean;
  link?: boolean;
}
interface Component {
  name: string;
  group?: string;
  version: string;
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[];
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> };
const own = JSON.parse(readFileSync('package.json', 'utf8')) as {
  dependencies: Record<string, string>;
  engines: { node: string };
  allowScripts: Record<string, boolean>;
};

test('every package is pinned to a version and a hash', () => {
  const loose = Object.entries(lock.packages).filter(
    ([path, { version, integrity, link }]) => path !== '' && !link && !(version && integrity?.startsWith('sha512-')),
  );
  expect(loose.map(([path]) => path)).toEqual([]);
  expect(Object.keys(own.dependencies).filter((name) => !(`node_modules/${name}` in lock.packages))).toEqual([]);
});

test('every package runs on the oldest Node that Sidelight runs on, but those that npm leaves out there', () => {
  const oldest = semver.minVersion(own.engines.node) ?? '';
  const newer = Object.entries(lock.packages).filter(
    ([, { engines, optional }]) => !optional && !semver.satisfies(oldest, engines?.node ?? '*'),
  );
  expect(newer.map(([path, { engines }]) => `${path} ${engines?.node}`)).toEqual([]);
});

test('one package alone runs a script as it is installed', () => {
  expect(own.allowScripts).toEqual({ 'better-sqlite3': true });
});

test('the bill of materials names all that runs, each with a licence that may be used', () => {
  const program = 'node_modules/.bin/cyclonedx-npm';
  const args = ['--package-lock-only', '--omit', 'dev', '--output-reproducible', '--output-file', '-'];
  const bill = JSON.parse(
    execFileSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  const components = bill.components as Component[];
  const named = new Set(components.map(({ group, name }) => (group ? `${group}/${name}` : name)));
  expect(Object.keys(own.dependencies).filter((name) => !named.has(name))).toEqual([]);
  const refused = components.filter(
    (component) => !TYPES_ALONE.has(component.name) && !ALLOWED.test(licenceOf(component)),
  );
  expect(refused.map((component) => `${component.name}: ${licenceOf(component)}`)).toEqual([]);
});

function licenceOf({ licenses = [] }: Component): string {
  return licenses.map(({ license, expression }) => license?.id ?? license?.name ?? expression ?? '').join(' ');
}

/** Those of which one of a choice may be used. */
const ALLOWED =
  /\b(MIT|MIT-0|ISC|BSD-[23]-Clause|0BSD|Apache-2\.0|BlueOak-1\.0\.0|Unlicense|CC0-1\.0|MPL-2\.0|LGPL-3\.0-or-later|Python-2\.0|WTFPL|Zlib)\b/;
/** Declarations of mwn's types (GPL): the compiler reads them, and nothing of them runs or is handed on. */
const TYPES_ALONE: ReadonlySet<string> = new Set(['types-mediawiki-api']);
