import fc from 'fast-check';
import { createFollow } from '../../../bot/follow.ts';
import { createListen } from '../../../bot/listen.ts';
import { parseApiChange, parseFeedEvent } from '../../../bot/recent-changes/change.ts';
import type { RecentChanges } from '../../../bot/recent-changes/feed.ts';
import { DEFAULT_RULES } from '../../../bot/rules.ts';
import { createLogger } from '../../../shared/logger.ts';
import { apiDeletion, apiEdit, feedDeletion, feedEdit } from '../examples.ts';

const samples = [
  { parse: parseFeedEvent, event: feedEdit(12) },
  { parse: parseFeedEvent, event: feedDeletion(5) },
  { parse: parseApiChange, event: apiEdit(12, { oldlen: 1, newlen: 2 }) },
  { parse: parseApiChange, event: apiDeletion(5) },
];

/** A true event, any of whose fields, also inner ones, is missing or anything at all. */
const broken = fc.constantFrom(...samples).chain(({ parse, event }) => {
  const field = fc.constantFrom(...Object.keys(event));
  const value = fc.oneof(fc.anything(), fc.constant(undefined), fc.record({ new: fc.anything(), old: fc.anything() }));
  const changes = fc.dictionary(field, value, { maxKeys: 3 });
  return changes.map((fields) => ({ parse, event: { ...event, ...fields }, fields: Object.keys(fields) }));
});

test('an event with any fields missing or of any type is a change, nothing of ours, or malformed by a field that was broken', () => {
  fc.assert(
    fc.property(broken, ({ parse, event, fields }) => {
      const parsed = parse(event);
      if (parsed.kind === 'malformed') expect(fields).toContain(parsed.field.split('.')[0]);
      else expect(['change', 'other']).toContain(parsed.kind);
    }),
    { numRuns: 1000 },
  );
});

test('anything at all in place of an event is malformed or nothing of ours', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      for (const parse of [parseFeedEvent, parseApiChange]) expect(['malformed', 'other']).toContain(parse(value).kind);
    }),
    { numRuns: 500 },
  );
});

test('every broken event has an outcome that is counted, by few names, and the next one is heard', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(broken, { minLength: 1, maxLength: 30 }), async (events) => {
      const time = new Date().toISOString();
      const feed: RecentChanges = {
        async *follow() {
          for (const { parse, event } of events) yield { ...parse(event), cursor: { time, eventId: null } };
        },
      };
      const wiki = { currentPage: async () => null, pageOfLog: async () => null };
      const follow = createFollow({ wikiId: 'w', wiki, describe: async () => new Map(), rules: DEFAULT_RULES });
      const cursors = { load: async () => ({ cursor: null, handedOn: [] }), save: async () => undefined };
      const counts = new Map<string, number>();
      const log = createLogger('silent', 'test');
      const options = { feed, follow, publish: async () => undefined, cursors, since: time, log, counts };
      await createListen(options).run(new AbortController().signal);
      expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(events.length);
      for (const name of counts.keys()) expect(name).toMatch(/^[a-z_]+(:[a-z_]+(\.[a-z_]+)*)?$/);
      expect(counts.has('failed')).toBe(false);
    }),
    { numRuns: 50 },
  );
});
