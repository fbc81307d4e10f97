/** Articles through a fleet while everything fails: nothing is lost, nothing is there twice. `npm run soak` does it at full length. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { repositoryRoot } from '../../shared/root.ts';
import { describeWith } from '../support/describe-with.ts';
import { FAULTS } from './schedule.ts';

const Result = z.object({
  claims: z.int().positive(),
  lost: z.int(),
  doubled: z.int(),
  stuck: z.int(),
  decisions_lost: z.int(),
  decisions: z.int().positive(),
  searched_partly: z.int(),
});

/** Every kind of fault comes in one of both, and with others of its lane. */
const everyOther = (from: 0 | 1) => FAULTS.filter((_, at) => at % 2 === from);

describeWith(['hosts', 'redis', 'mariadb', 'elasticsearch'], 'a fleet whose parts fail at random times', () => {
  test.each([
    // a shard goes first: some searches are under way
    { seed: 10, faults: everyOther(0), fewestPartly: 1 },
    { seed: 4, faults: everyOther(1), fewestPartly: 0 },
  ])(
    'loses nothing and does nothing twice, seed $seed',
    async ({ seed, faults, fewestPartly }) => {
      const options = { from: seed, seeds: 1, articles: 60, announce: 45, pace: 0.5, more: 0, faults: faults.join() };
      const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
      const { stdout, stderr } = await soak([...args, '--json']);
      const told = stdout.trim() === '' ? null : Result.parse(JSON.parse(stdout));
      const clean = { lost: 0, doubled: 0, stuck: 0, decisions_lost: 0 };
      expect({ ...told, stderr: '' }).toMatchObject(told === null ? { stderr } : clean);
      expect(told?.searched_partly).toBeGreaterThanOrEqual(fewestPartly);
    },
    1_200_000,
  );
});

/** What it says, also where it ends with 1. */
async function soak(args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  const command = [`${repositoryRoot()}/.build/test/fleet/main.js`, ...args];
  return promisify(execFile)(process.execPath, command).catch((failed: { stdout: string; stderr: string }) => failed);
}
