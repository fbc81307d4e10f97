import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refusalOf, runCommand } from '../../support/command.ts';
import { describeWith } from '../../support/describe-with.ts';
import { startWeb, type Web } from '../../support/web.ts';
import { startWiki, type TestWiki } from '../../support/wiki.ts';

const CITING = `The Hallin ropeway was opened on 4 June 1912.<ref>[https://hallin.example/ropeway The ropeway]</ref>
Its last bucket ran in 1958.<ref>[https://hallin.example/gone Last runs]</ref>`;
const PAGE = '<p>Mules went up to the quarry before. The Hallin ropeway was opened on 4 June 1912 by the mayor.</p>';
const SILENT = 'http://127.0.0.1:1';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidelight-check-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, wikitext: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, wikitext);
  return path;
}

describeWith(['wiki'], 'check', () => {
  let wiki: TestWiki;
  let web: Web;
  beforeAll(async () => {
    wiki = await startWiki();
    web = await startWeb({ [gatewayPath('ropeway')]: PAGE, [gatewayPath('silent')]: () => undefined });
  });
  afterAll(async () => {
    await Promise.all([wiki.stop(), web.close()]);
  });

  const gatewayPath = (page: string) => `/fetch?url=${encodeURIComponent(`https://hallin.example/${page}`)}`;
  const settings = () => ({ WIKI: wiki.origin, SOURCE_GATEWAY: `http://127.0.0.1:${web.port}/fetch?url={url}` });

  test('gives each claim of a file a verdict with evidence, or why there is none', async () => {
    const path = await file('Hallin_ropeway.wikitext', CITING);
    const { code, stdout } = await runCommand(['check', '--wikitext', path, '--json'], settings());
    expect(code).toBe(0);
    const { ref_uses, findings } = JSON.parse(stdout);
    expect(ref_uses).toBe(2);
    expect(findings).toMatchObject([
      {
        claim: { text: 'The Hallin ropeway was opened on 4 June 1912.', title: 'Hallin ropeway' },
        citations: [{ url: 'https://hallin.example/ropeway' }],
        verdict: 'supported',
        evidence: { quote: expect.stringContaining('opened on 4 June 1912') },
        reason: null,
      },
      { citations: [{ url: 'https://hallin.example/gone' }], verdict: 'unavailable', score: null, reason: 'not_found' },
    ]);
  });

  test('with --extract-only lists claims and citations and fetches nothing', async () => {
    const path = await file('Hallin_ropeway.wikitext', CITING);
    const asked = web.requested.length;
    const { stdout } = await runCommand(['check', '--wikitext', path, '--extract-only', '--json'], settings());
    const { pairs, ...counts } = JSON.parse(stdout);
    expect(counts).toMatchObject({ ref_uses: 2, citations: 2, unpaired: 0 });
    expect(pairs).toMatchObject([
      { claim: { text: 'The Hallin ropeway was opened on 4 June 1912.' }, citations: [{ title: 'The ropeway' }] },
      { claim: { text: 'Its last bucket ran in 1958.' }, citations: [{ title: 'Last runs' }] },
    ]);
    expect(web.requested).toHaveLength(asked);
  });

  test('says of a file without claims that there are none', async () => {
    const path = await file('empty.wikitext', '');
    const check = ['check', '--wikitext', path];
    expect((await runCommand(check, settings())).stdout).toBe('no claim has a citation or asks for one\n');
    expect(JSON.parse((await runCommand([...check, '--json'], settings())).stdout)).toEqual({
      ref_uses: 0,
      findings: [],
    });
  });

  test('stops when it is asked to, though a page does not answer', async () => {
    const path = await file('Silent.wikitext', CITING.replace('/ropeway ', '/silent '));
    const { code, stdout, stderr } = await runCommand(['check', '--wikitext', path], settings(), async (child) => {
      const isWaiting = () => web.requested.includes(gatewayPath('silent'));
      while (child.exitCode === null && !isWaiting()) await new Promise((resolve) => setTimeout(resolve, 20));
      child.kill('SIGINT');
    });
    expect({ code, stdout, stderr }).toEqual({ code: 130, stdout: '', stderr: '' });
  });

  test('refuses in one line a page that does not exist', async () => {
    expect(await refusalOf(['check', 'Nowhere'], settings())).toMatch(/Nowhere: there is no such page/);
  });
});

test.each([
  ['no title and no file', ['check'], /give the title of an article, or --wikitext FILE/],
  ['an empty title', ['check', ' '], /give the title of an article, or --wikitext FILE/],
  ['a file that is not there', ['check', '--wikitext', '/nowhere/at/all'], /--wikitext: .* can't be read/],
  ['a wiki that does not answer', ['check', 'Hallin', '--wiki', SILENT], /does not answer \(ECONNREFUSED\)/],
  ['a wiki that is no address', ['check', 'Hallin', '--wiki', 'hallin'], /WIKI: is not an http\(s\) URL/],
])('check refuses %s in one line', async (_, command, line) => {
  expect(await refusalOf(command)).toMatch(line);
});

test('check refuses a file in one line where the wiki that should parse it does not answer', async () => {
  const path = await file('Hallin.wikitext', CITING);
  expect(await refusalOf(['check', '--wikitext', path, '--wiki', SILENT])).toMatch(/no answer from http:\/\/127/);
});
