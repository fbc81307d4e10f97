import { RefuseToStart, TransientError } from '../../../../shared/errors.ts';
import { createLogger } from '../../../../shared/logger.ts';
import { rememberCurrent } from '../../../../workers/retrieval/corpus/last-known.ts';
import type { Manifest } from '../../../../workers/retrieval/corpus/manifest.ts';

const log = createLogger('silent', 'test');
const first: Manifest = {
  generation: 'first',
  createdAt: '2026-05-03T00:00:00Z',
  state: 'ready',
  encoder: { version: 'a', dimensions: 8 },
  sparse: { engine: 'elasticsearch', index: 'sidelight-first' },
  shards: [{ shard: 0, sealed: null }],
  pages: 1,
  passages: 1,
};

/** Answers in turn. */
function aCatalogue(...answers: (Manifest | null | Error)[]) {
  return {
    async current() {
      const answer = answers.shift() ?? null;
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}

test('while the catalogue is away the last known generation is searched, and then the new one', async () => {
  const second = { ...first, generation: 'second' };
  const remembered = rememberCurrent(aCatalogue(first, new TransientError('away'), second), log);
  const asked = [await remembered.current(), await remembered.current(), await remembered.current()];
  expect(asked.map((manifest) => manifest?.generation)).toEqual(['first', 'first', 'second']);
});

test('a catalogue that is away from the beginning leaves the claim unsearched, and does not hold it up', async () => {
  expect(await rememberCurrent(aCatalogue(new TransientError('away')), log).current()).toBeNull();
});

test('a catalogue that can not be used is no passing trouble', async () => {
  const remembered = rememberCurrent(aCatalogue(first, new RefuseToStart('another version')), log);
  await remembered.current();
  await expect(remembered.current()).rejects.toThrow(RefuseToStart);
});
