/** The units as systemd itself reads them: each is valid, none may do more than it needs, and each command is one of ours. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../deploy/servers/port.ts';
import { parseConfig } from '../../shared/config.ts';
import { STAGE_NAMES } from '../../shared/pipeline.ts';
import { repositoryRoot } from '../../shared/root.ts';
import { bundleProgram } from '../support/programs.ts';

const FOLDER = `${repositoryRoot()}/deploy/systemd`;

describe('units for systemd', () => {
  let folder: string;
  let units: string[];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sidelight-units-'));
    await cp(FOLDER, folder, { recursive: true });
    units = (await readdir(folder)).filter((name) => /\.(service|target)$/.test(name));
    for (const unit of units)
      await writeFile(join(folder, unit), onThisMachine(await readFile(join(folder, unit), 'utf8')));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('systemd finds nothing wrong with any', async () => {
    const named = units.map((unit) => join(folder, unit.replace('@.', '@001.')));
    expect(await analyze('verify', '--man=no', '--recursive-errors=no', ...named)).toBe('');
  });

  // the higher, the more a service may do; 10 is no limit at all (man systemd-analyze)
  test('each is exposed little by what systemd says of it', async () => {
    const services = units.filter((unit) => unit.endsWith('.service')).map((unit) => unit.replace('@.', '@001.'));
    const said = await analyze(
      'security',
      '--offline=true',
      '--threshold=20',
      '--no-pager',
      ...services.map((one) => join(folder, one)),
    );
    const levels = [...said.matchAll(/Overall exposure level for (\S+): (\d+\.\d+)/g)];
    expect(levels.map(([, name]) => name)).toEqual(services);
    expect(levels.filter(([, , level]) => Number(level) > 2)).toEqual([]);
  });

  test('systemd-sysusers finds nothing wrong with the accounts', async () => {
    const said = await run('systemd-sysusers', ['--dry-run', join(FOLDER, 'sidelight.sysusers.conf')]);
    expect(said.match(/Creating user/g)).toHaveLength(3);
  });

  test('together they drain every stage, each with a port of its own and longer to stop than it takes', async () => {
    const ports = new Map<string, string>();
    const drained: string[] = [];
    for (const unit of units.filter((name) => name.endsWith('.service'))) {
      const text = (await readFile(join(folder, unit), 'utf8')).replaceAll('%i', '001');
      const [, command] = /main\.js (.*)/.exec(text) ?? [];
      if (command === undefined) continue;
      const port = /OPS_PORT=(\d+)/.exec(text)?.[1] ?? '';
      expect(Number(port)).toBeGreaterThan(1024);
      expect(Number(port)).toBeLessThan(65_536);
      expect(ports.get(port)).toBeUndefined();
      ports.set(port, unit);
      const { stopMs } = parseConfig({ OPS_PORT: port });
      expect(1000 * Number(/TimeoutStopSec=(\d+)/.exec(text)?.[1])).toBeGreaterThan(stopMs);
      drained.push(...stagesOf(command));
    }
    expect(drained.sort()).toEqual([...STAGE_NAMES].sort());
  });

  // or `systemctl start`, and every restart of a part that fails as it starts, takes as long as a part may take to start
  test('a part that ends as it starts is waited for no longer', async () => {
    const ended = spawn('true');
    await once(ended, 'exit');
    const environment = { PATH: process.env.PATH, OPS_PORT: '9', MAINPID: String(ended.pid) };
    const said = await run(process.execPath, [`${repositoryRoot()}/deploy/bin/ready.mjs`, '--wait', '5'], environment);
    expect(said).toBe('the process has ended\n');
  });

  test('a part that is stopped as it starts has not failed', async () => {
    const part = createServer((_request, response) => response.writeHead(503).end('starting'));
    const port = await freePort();
    await once(part.listen(port, '127.0.0.1'), 'listening');
    const waiting = spawn(process.execPath, [`${repositoryRoot()}/deploy/bin/ready.mjs`, '--wait', '60'], {
      env: { PATH: process.env.PATH, OPS_PORT: String(port), MAINPID: String(process.pid) },
    });
    await once(part, 'request');
    waiting.kill('SIGTERM');
    expect(await once(waiting, 'exit')).toEqual([0, null]);
    part.closeAllConnections();
    part.close();
  });

  test('a part that is stopped while it waits to begin ends by itself, and as one that did not fail', async () => {
    const program = await bundleProgram('test/deploy/systemd-beginning.ts');
    const part = await program.start({ STOP_SECONDS: '1' });
    expect(await part.end('SIGTERM')).toBe(0);
    program.remove();
  });

  test('the settings file holds settings that there are', async () => {
    const text = await readFile(join(FOLDER, 'sidelight.env'), 'utf8');
    const known = await readFile(`${repositoryRoot()}/shared/config.ts`, 'utf8');
    const names = [...text.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name ?? '');
    expect(names.filter((name) => !known.includes(`  ${name}:`))).toEqual([]);
  });
});

/** What a part drains. */
function stagesOf(command: string): string[] {
  if (command === 'listen') return ['worklists', 'articles'];
  if (command === 'review') return ['review'];
  const [, stages] = /^work --stages (\S+)( --shards \d+)?$/.exec(command) ?? [];
  return stages?.split(',') ?? [command];
}

/** Programs and folders of a real installation, as they are here. */
function onThisMachine(unit: string): string {
  return unit
    .replaceAll('/opt/sidelight', repositoryRoot())
    .replaceAll('/usr/bin/node', process.execPath)
    .replaceAll('/opt/elasticsearch/bin/elasticsearch', '/bin/true');
}

const analyze = (...arguments_: string[]) => run('systemd-analyze', arguments_);

/** What it said, on either stream, however it ended. */
function run(program: string, arguments_: string[], env = process.env): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, arguments_, { env }, (error, stdout, stderr) =>
      error?.code === 'ENOENT' ? reject(error) : resolve(stdout + stderr),
    );
  });
}
