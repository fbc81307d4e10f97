import { PassThrough } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import { pino } from 'pino';
import { TransientError } from '../../../../shared/errors.ts';
import { createEndpointExpander } from '../../../../workers/retrieval/expansion/endpoint.ts';
import type { WeightedWord } from '../../../../workers/retrieval/sparse/query.ts';
import { createProcessBudget } from '../../../../workers/verification/second-opinion/budget.ts';
import { aClaim } from '../../../support/examples.ts';
import {
  type ChatServer,
  completion,
  type Reply,
  refusal,
  startChatServer,
} from '../../verification/second-opinion/chat-server.ts';

const NEVER = new AbortController().signal;
const titles = { titles: ['Orrin Bay mill closed, shuts', 'Last mill of the bay', 'Mill owner Tove Marek'] };

const servers: ChatServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function expandWith(reply: Reply, options: { key?: string; daily?: number; timeoutMs?: number } = {}) {
  const server = await startChatServer(reply);
  servers.push(server);
  const { key = null, daily = 10, timeoutMs = 5000 } = options;
  const sink = new PassThrough();
  const settings = { url: server.url, model: 'titles-7b', key, timeoutMs };
  const dependencies = { budget: createProcessBudget({ daily }), log: pino({ level: 'debug' }, sink) };
  const expander = createEndpointExpander(settings, dependencies);
  const expand = (signal: AbortSignal) =>
    expander.expand({ claim: aClaim, words: ['closed'], feedback: async () => [] }, signal);
  const logged = async () => {
    sink.end();
    return await readAll(sink);
  };
  return { server, expand, logged };
}

const listed = (words: WeightedWord[]) => words.map(({ word }) => word).sort();

test('the content words of the titles are added, and weigh by how many titles have them', async () => {
  const { expand } = await expandWith(completion(titles));
  const words = await expand(NEVER);
  expect(listed(words)).toEqual(['bay', 'last', 'marek', 'mill', 'orrin', 'owner', 'shuts', 'tove']);
  const weightOf = (wanted: string) => words.find(({ word }) => word === wanted)?.weight ?? 0;
  expect(weightOf('mill') / weightOf('marek')).toBeCloseTo(3);
  expect(weightOf('bay') / weightOf('marek')).toBeCloseTo(2);
});

test('the claim goes in as data with its article, its section and what stands before it', async () => {
  const { server, expand } = await expandWith(completion(titles), { key: 'k-7731' });
  await expand(NEVER);
  const [request] = server.received;
  expect(request?.authorization).toBe('Bearer k-7731');
  expect(JSON.parse(request?.body.messages.at(-1)?.content ?? '')).toEqual({
    text: aClaim.text,
    article: 'Orrin Bay',
    section: 'History',
    before: 'It was built of stone.',
  });
});

test('titles that a model fences, or thinks about aloud, are read', async () => {
  const answer = `<think>{"titles": a guess?}</think>\n\`\`\`json\n${JSON.stringify(titles)}\n\`\`\``;
  const { expand } = await expandWith(completion(answer));
  expect(listed(await expand(NEVER))).toContain('marek');
});

test('of a flood of titles only a few are read', async () => {
  const flood = Array.from({ length: 300 }, (_, at) => `word${at} `.repeat(9));
  const { expand } = await expandWith(completion({ titles: flood }));
  expect(listed(await expand(NEVER))).toEqual(['word0', 'word1', 'word2', 'word3', 'word4']);
});

describe('nothing is added, and the reason is logged as a code, where the server', () => {
  test.each<[string, Reply, string]>([
    ['fails', refusal(500), 'failed'],
    ['knows no such key', refusal(401), 'failed'],
    ['answers nonsense', completion('The title is probably "Mill".'), 'malformed'],
    ['answers other JSON', completion({ titles: 'Mill' }), 'malformed'],
    ['sends no completion', (response) => response.end('<html>'), 'malformed'],
    ['cuts the connection', (response) => response.destroy(), 'failed'],
  ])('%s', async (_, reply, code) => {
    const { expand, logged } = await expandWith(reply, { key: 'k-7731' });
    expect(await expand(NEVER)).toEqual([]);
    const line = await logged();
    expect(JSON.parse(line.split('\n')[0] ?? '')).toMatchObject({ code, model: 'titles-7b' });
    expect(line).not.toContain('7731');
  });

  test('says nothing in time', async () => {
    const { expand, logged } = await expandWith(() => {}, { timeoutMs: 50 });
    expect(await expand(NEVER)).toEqual([]);
    expect(JSON.parse(await logged())).toMatchObject({ code: 'timeout' });
  });

  test('may not be asked again today', async () => {
    const { server, expand, logged } = await expandWith(completion(titles), { daily: 1 });
    await expand(NEVER);
    expect(await expand(NEVER)).toEqual([]);
    expect(server.received).toHaveLength(1);
    expect(JSON.parse(await logged())).toMatchObject({ code: 'over_budget' });
  });
});

test('a caller that stops is told so at once', async () => {
  const stop = new AbortController();
  const { expand } = await expandWith(() => stop.abort());
  await expect(expand(stop.signal)).rejects.toThrow(TransientError);
});
