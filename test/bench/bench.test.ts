/** The benchmarks run, each line of the table has what it should, and the object for programs parses. Says nothing of any figure. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { repositoryRoot } from '../../shared/root.ts';
import { describeWith } from '../support/describe-with.ts';
import { BENCHMARKS } from './all.ts';
import { beside, line, notMeasured } from './benchmark.ts';
import { toJson, toText } from './table.ts';
import { inTurns, timesAsFast } from './turns.ts';

const program = `${repositoryRoot()}/.build/test/bench/main.js`;
const run = (args: readonly string[]) =>
  promisify(execFile)(process.execPath, [program, ...args], { env: { ...process.env, PYTHON: 'no-python-here' } });

const Line = z.object({
  ...{ benchmark: z.string(), name: z.string(), ours: z.number().nullable(), unit: z.string(), note: z.string() },
  ...{ peer: z.number().nullable(), peerName: z.string().nullable(), ratio: z.number().nullable() },
});
const Report = z.object({
  machine: z.object({ processor: z.string(), cores: z.number(), memory_gb: z.number(), kernel: z.string() }),
  versions: z.record(z.string(), z.string().nullable()),
  ratios: z.record(z.string(), z.record(z.string(), z.number())),
  results: z.array(Line),
  measured: z.record(z.string(), z.record(z.string(), z.unknown())),
});

test('every benchmark of the project is in the table, each with parts of its own', () => {
  expect(BENCHMARKS.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'verification',
      'retrieval',
      'queue',
      'pipeline',
      'review',
      'gadget',
      'growth',
      'simulation',
    ]),
  );
  for (const { parts } of BENCHMARKS) expect(new Set(parts).size).toBe(parts.length);
});

describeWith(['redis'], 'those that need no server but Redis', () => {
  const names = ['verification', 'retrieval', 'queue', 'bot', 'review'];
  const parts = ['peers', 'sparse', 'overhead', 'extraction', 'lists'];

  test('give lines and figures for each part, and say how to get a peer that is missing', async () => {
    const { stdout } = await run([...names, '--tiny', '--json', '--parts', ...parts]);
    const { results, measured, ratios, versions } = Report.parse(JSON.parse(stdout));
    expect(Object.keys(measured)).toEqual(names);
    expect(Object.values(measured).flatMap((figures) => Object.keys(figures))).toEqual(parts);
    expect(ratios.queue?.['queued jobs / BullMQ alone']).toBeGreaterThan(0);
    expect(results.find(({ name }) => name === 'model, beside PyTorch')?.note).toContain('pip install');
    expect(versions.node).toBe(process.versions.node);
  });
});

test('a name that is no benchmark, and a part that it has not, are refused', async () => {
  await expect(run(['nothing'])).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('no benchmark') });
  await expect(run(['queue', '--parts', 'lag'])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no part'),
  });
});

test('a table has a line for each result, with the ratio that makes more of a rate and less of a time the better', () => {
  const results = [
    beside({ name: 'a rate', unit: '/s', ours: 6, peer: 3, peerName: 'other', better: 'more' }),
    beside({ name: 'a time', unit: 'ms', ours: 6, peer: 3, peerName: 'other', better: 'less' }),
    line({ name: 'alone', ours: 1 / 3, unit: 'MB' }),
    notMeasured('absent', 'how to get it'),
  ];
  const machine = { processor: 'one', cores: 1, memory_gb: 1, kernel: 'none', load_before: 0 };
  const report = {
    machine,
    versions: { node: '20', torch: null },
    measured: new Map([['it', { results, figures: {} }]]),
  };
  expect(JSON.parse(toJson(report)).ratios).toEqual({ it: { 'a rate / other': 2, 'a time / other': 0.5 } });
  const text = toText(report);
  for (const words of ['a rate', '0.3333 MB', 'how to get it', 'torch not installed']) expect(text).toContain(words);
});

test('engines take turns, each is first as often, and the first round of all is left out', async () => {
  const order: string[] = [];
  const work = (name: string, ms: number) => async () => {
    order.push(name);
    return ms;
  };
  const times = await inTurns({ a: work('a', 2), b: work('b', 6), c: null }, 2);
  expect(order).toEqual(['a', 'b', 'b', 'a', 'a', 'b']);
  expect(times).toEqual({ a: [2, 2], b: [6, 6], c: [] });
  expect([timesAsFast(times.a, times.b), timesAsFast(times.a, times.c)]).toEqual([3, Number.NaN]);
});
