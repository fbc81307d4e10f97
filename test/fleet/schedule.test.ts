import { describeFault, FAULTS, makeSchedule } from './schedule.ts';

const plan = (seed: number) => makeSchedule({ seed, kinds: FAULTS, pace: 1, more: 5 });

test('a plan comes again with its seed, and another one with another', () => {
  expect(plan(3).map(describeFault)).toEqual(plan(3).map(describeFault));
  expect(plan(4).map(describeFault)).not.toEqual(plan(3).map(describeFault));
});

test('every kind of fault comes in every plan, each with whom it befalls', () => {
  for (let seed = 1; seed <= 50; seed += 1) {
    expect(new Set(plan(seed).map(({ kind }) => kind))).toEqual(new Set(FAULTS));
    for (const { targets, lastsMs } of plan(seed)) {
      expect(targets.length).toBeGreaterThan(0);
      expect(lastsMs).toBeGreaterThan(0);
    }
  }
});

test('Redis is out of reach for 30 s at any pace, and a shard for longer than it is waited for', () => {
  const plan = makeSchedule({ seed: 1, kinds: ['redis_unreachable', 'shard_gone'], pace: 0.1, more: 0 });
  expect(plan.find(({ kind }) => kind === 'redis_unreachable')?.lastsMs).toBe(30_000);
  expect(plan.find(({ kind }) => kind === 'shard_gone')?.lastsMs).toBeGreaterThan(30_000);
});
