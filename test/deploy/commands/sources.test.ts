import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareCitation } from '../../../shared/bare-citation.ts';
import { createReader } from '../../../workers/source/read.ts';
import { openSourceStore } from '../../../workers/source/store.ts';
import { refusalOf, runCommand } from '../../support/command.ts';
import { startWeb } from '../../support/web.ts';

const CLAIM = 'The Hallin ropeway was opened on 4 June 1912.';
const PAGE = '<p>Mules went up to the quarry before. The Hallin ropeway was opened on 4 June 1912 by the mayor.</p>';

let folder: string;
let page: string;
let gone: string;
let settings: Record<string, string>;
/** Hash of the page's text. */
let seen: string;

/** A page and a missing one were read by a worker; then their server went away. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidelight-sources-'));
  settings = { DATA_DIR: join(folder, 'seen'), WAYBACK_URL: 'http://127.0.0.1:1' };
  const web = await startWeb({ '/ropeway': PAGE });
  [page, gone] = [`${web.origin}/ropeway`, `${web.origin}/gone`];
  const store = await openSourceStore(join(folder, 'seen/sources.sqlite'));
  const reading = { gateway: null, allowLoopback: true, waybackUrl: 'http://127.0.0.1:1', userAgent: 'Test/1.0' };
  const reader = createReader(reading, store);
  const read = (url: string) => reader.read(bareCitation(url, url), new AbortController().signal);
  const source = await read(page);
  seen = source.kind === 'readable' ? source.contentHash : '';
  await read(gone);
  await store.close();
  await web.close();
});
afterAll(() => rm(folder, { recursive: true }));

async function run(command: string[], changes: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runCommand(command, { ...settings, ...changes });
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

test('the state of links is shown, and a person can say what it really is', async () => {
  expect(await run(['sources', 'health'])).toContain('1 failing, 1 live; 0 to be looked at again now');
  const said = await run(['sources', 'correct', gone, '--state', 'dead', '--note', 'the paper closed']);
  expect(said).toContain(`sidelight requeue --citation ${gone}`);
  const { counts, links } = JSON.parse(await run(['sources', 'health', gone, '--json']));
  expect(counts).toMatchObject({ live: 1, corrected: 1 });
  expect(links[0]).toMatchObject({ url: gone, correction: { state: 'dead', note: 'the paper closed' } });
});

test('a check is repeated elsewhere on what was seen, with the same text', async () => {
  const file = join(folder, 'seen.warc.gz');
  const elsewhere = { DATA_DIR: join(folder, 'elsewhere') };
  await run(['sources', 'export', file]);
  const imported = JSON.parse(await run(['sources', 'import', file, '--json'], elsewhere));
  expect(imported).toMatchObject({ responses: 2, broken: null });
  const verify = ['verify', '--claim', CLAIM, '--source', page, '--offline', '--json'];
  const judged = JSON.parse(await run(verify, elsewhere));
  expect(judged).toMatchObject({ verdict: 'supported', citations: [{ contentHash: seen }] });
});

test('a text is given and withdrawn', async () => {
  const file = join(folder, 'given.txt');
  await writeFile(file, CLAIM);
  expect(await run(['sources', 'give', gone, '--file', file])).toContain(
    `${CLAIM.length} characters are kept, private`,
  );
  expect(await run(['sources', 'give', gone, '--withdraw'])).toContain('is forgotten');
});

test('a file without responses is told from a WARC file', async () => {
  const file = join(folder, 'notes.txt');
  await writeFile(file, 'No record stands here.');
  const { code, stdout } = await runCommand(['sources', 'import', file], settings);
  expect([code, stdout]).toEqual([1, `${file}: no response in it; is it a WARC file?\n`]);
});

test('a table has no colours, so that it can be kept and searched', async () => {
  expect(await run(['sources', 'health', page])).not.toContain('\u001b');
});

test.each([
  ['an address that is none', ['correct', 'ftp://a.example', '--state', 'dead'], /no http\(s\) address/],
  [
    'a file that is not there',
    ['give', 'https://a.example/', '--file', '/nowhere'],
    /nowhere can.t be read or written \(ENOENT\)/,
  ],
  ['a folder to export to that is not there', ['export', '/nowhere/a.warc.gz'], /ENOENT/],
])('%s is refused in one line', async (_, command, line) => {
  expect(await refusalOf(['sources', ...command], settings)).toMatch(line);
});
