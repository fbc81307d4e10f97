/** What the repository says of itself: each link leads somewhere, and the forms and workflows of its forge parse. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { z } from 'zod';
import { repositoryRoot } from '../../shared/root.ts';

const ROOT = repositoryRoot();

describe('the papers of the repository', () => {
  test('every link of every page leads to a file that there is, and to a heading that it has', async () => {
    const broken = (await Promise.all((await pages()).map(brokenLinks))).flat();
    expect(broken).toEqual([]);
  });

  test('commands of CONTRIBUTING name tests that there are', async () => {
    const text = await readFile(`${ROOT}/.github/CONTRIBUTING.md`, 'utf8');
    const named = [...text.matchAll(/npm test -- (test\/[\w/-]+)/g)].map(([, path]) => path ?? '');
    const files = (await readdir(`${ROOT}/test`, { recursive: true }))
      .map((file) => `test/${file}`)
      .filter((file) => file.endsWith('.test.ts'));
    expect(named.filter((path) => !files.some((file) => file.startsWith(path)))).toEqual([]);
  });

  test('the forms parse, and each field has an id of its own', async () => {
    const Field = z.strictObject({
      type: z.enum(['markdown', 'textarea', 'input', 'dropdown', 'checkboxes']),
      id: z.string().regex(/^[\w-]+$/),
      attributes: z.strictObject({
        label: z.string().min(1),
        description: z.string().optional(),
        placeholder: z.string().optional(),
        render: z.string().optional(),
        options: z.array(z.string()).min(1).optional(),
      }),
      validations: z.strictObject({ required: z.boolean() }).optional(),
    });
    const Form = z.strictObject({
      name: z.string(),
      description: z.string(),
      labels: z.array(z.string()),
      body: z.array(Field).min(1),
    });
    const folder = `${ROOT}/.github/ISSUE_TEMPLATE`;
    for (const name of (await readdir(folder)).filter((file) => file !== 'config.yml')) {
      const form = Form.parse(parse(await readFile(join(folder, name), 'utf8')));
      expect(new Set(form.body.map(({ id }) => id)).size).toBe(form.body.length);
    }
  });

  test('the workflow runs all tests on every version of Node that is promised', async () => {
    const workflow = z
      .looseObject({
        jobs: z.record(
          z.string(),
          z.looseObject({
            strategy: z.looseObject({ matrix: z.object({ node: z.array(z.string()) }) }),
            steps: z.array(z.looseObject({ run: z.string().optional() })),
          }),
        ),
      })
      .parse(parse(await readFile(`${ROOT}/.github/workflows/ci.yml`, 'utf8')));
    expect(workflow.jobs.tests?.strategy.matrix.node).toEqual(['20', '22', '24']);
    expect(workflow.jobs.tests?.steps.some(({ run }) => run === '.ci/run')).toBe(true);
  });
});

async function pages(): Promise<string[]> {
  const { stdout } = await promisify(execFile)('git', [
    '-C',
    ROOT,
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    '*.md',
  ]);
  return stdout
    .trim()
    .split('\n')
    .filter((page) => existsSync(join(ROOT, page)));
}

async function brokenLinks(page: string): Promise<string[]> {
  const broken: string[] = [];
  for (const link of linksOf(await readFile(join(ROOT, page), 'utf8'))) {
    const [path = '', heading = ''] = link.split('#');
    const target = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), decodeURIComponent(path));
    const isNamed = heading !== '' && target.endsWith('.md');
    if (!existsSync(target) || (isNamed && !(await headingsOf(target)).includes(heading)))
      broken.push(`${page}: ${link}`);
  }
  return broken;
}

/** Those that lead to files, none of a block of code. */
function linksOf(text: string): string[] {
  const prose = text.replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? '').filter((link) => !/^[a-z]+:/.test(link));
}

/** As forges name them. */
async function headingsOf(page: string): Promise<string[]> {
  const text = (await readFile(page, 'utf8')).replaceAll(/^```.*?^```/gms, '');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}
