import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { openTurns, PATIENCE_MS, TERM_MS, type Turns } from '../../../bot/write/turn.ts';
import { quickClock, type TestClock } from './bot.ts';

describe('turns of writing', () => {
  let folder: string;
  let clock: TestClock;
  let one: Turns;
  let other: Turns;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sidelight-turn-'));
    clock = quickClock();
    // each has its own connection to the file, as processes have
    one = openTurns(join(folder, 'writing.sqlite'), clock);
    other = openTurns(join(folder, 'writing.sqlite'), clock);
  });
  afterEach(async () => {
    one.close();
    other.close();
    await rm(folder, { recursive: true });
  });

  test('one process writes at a time, and the next as soon as it is done', async () => {
    const turn = await one.take('wiki/Bot');
    clock.wait = async () => turn?.release(); // while the other waits
    expect(await other.take('wiki/Bot')).not.toBeNull();
  });

  test('accounts of other wikis do not wait', async () => {
    await one.take('wiki/Bot');
    expect(await other.take('other/Bot')).not.toBeNull();
    expect(clock.waited).toEqual([]);
  });

  test('a turn that is kept is not waited for without end', async () => {
    const turn = await one.take('wiki/Bot');
    const { wait } = clock;
    clock.wait = async (ms, signal) => {
      turn?.untilEdit(0); // whoever is at work says so
      await wait(ms, signal);
    };
    expect(await other.take('wiki/Bot')).toBeNull();
    expect(clock.waited.reduce((sum, ms) => sum + ms, 0)).toBe(PATIENCE_MS);
  });

  test('a turn of a process that died is taken after its term, and is then lost', async () => {
    const dead = await one.take('wiki/Bot');
    const turn = await other.take('wiki/Bot');
    expect(clock.waited.reduce((sum, ms) => sum + ms, 0)).toBe(TERM_MS);
    expect(dead?.untilEdit(0)).toBeNull();
    dead?.release();
    expect(turn?.untilEdit(0)).toBe(0);
  });

  test('a pause lies between two edits, also of two processes', async () => {
    const turn = await one.take('wiki/Bot');
    expect(turn?.untilEdit(10_000)).toBe(0);
    turn?.edits();
    await clock.wait(4000);
    turn?.release();
    const next = await other.take('wiki/Bot');
    expect(next?.untilEdit(10_000)).toBe(6000);
    await clock.wait(6000);
    expect(next?.untilEdit(10_000)).toBe(0);
  });

  test('a clock that was set back costs one pause at most', async () => {
    const turn = await one.take('wiki/Bot');
    await clock.wait(3_600_000);
    turn?.edits();
    const before = quickClock();
    const next = openTurns(join(folder, 'writing.sqlite'), before);
    turn?.release();
    expect((await next.take('wiki/Bot'))?.untilEdit(10_000)).toBe(10_000);
    next.close();
  });

  test('a turn that was not released is not renewed once the file is closed', async () => {
    jest.useFakeTimers();
    try {
      const turns = openTurns(join(folder, 'closed.sqlite'), clock);
      await turns.take('wiki/Bot');
      turns.close();
      expect(() => jest.advanceTimersByTime(TERM_MS)).not.toThrow();
    } finally {
      jest.useRealTimers();
    }
  });

  test('who waits can be told to stop', async () => {
    await one.take('wiki/Bot');
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(other.take('wiki/Bot', signal)).rejects.toThrow('enough');
  });
});
