/**
 * Labelled pairs (pairs.py) → what the bi-encoder learns from: a claim, the passages that hold its evidence, and hard negatives:
 * passages of other pages that BM25 finds for it. One JSON object a line. Which of them may be true after all is not judged here.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { Database } from '../../../shared/sql/better-sqlite3.ts';
import { splitPassages } from '../../verification/passages.ts';

const [file] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write('usage: node .build/workers/models/training/mine_negatives.js PAIRS.jsonl > retrieval.jsonl\n');
  process.exit(2);
}

const Pair = z.object({
  id: z.string(),
  group: z.string(),
  source: z.string(),
  kind: z.string(),
  claim: z.object({ text: z.string(), title: z.string(), section: z.string(), context: z.string() }),
  sources: z.array(z.object({ url: z.string(), title: z.string(), text: z.string() })).min(1),
  evidence: z.array(z.string()),
});
type Pair = z.infer<typeof Pair>;

const NEGATIVES = 8;
const MAX_WORDS = 32;
/** Whole pages; of single sentences BM25 would find the shortest, and other true ones of the same article. */
const MINED = new Set(['written', 'wice-tokens']);
/** Pages that are copied, or that stand in two data sets: share of the words of the shorter text. */
const SAME_TEXT = 0.5;
/** Nothing on the page is about such a claim. */
const ABSENT = 'absent';

const index = openIndex();
const examples: ReturnType<typeof toExample>[] = [];
for await (const line of createInterface({ input: createReadStream(file) })) {
  const parsed = Pair.parse(JSON.parse(line));
  const pair = { ...parsed, group: pageOf(parsed.group) };
  const passages = pair.sources.flatMap(splitPassages);
  if (MINED.has(pair.source)) index.add(pair.group, passages);
  if (pair.kind !== ABSENT && passages.length > 0)
    examples.push(
      toExample(
        pair,
        passages.map(({ text }) => text),
      ),
    );
}
for (const example of examples) {
  process.stdout.write(`${JSON.stringify({ ...example, negatives: findNegatives(example) })}\n`);
}

/** WiCE has a page under several claims' names: `train07-2`, and `w:train07-2` where other claims were written about it. */
function pageOf(group: string): string {
  return /^(?:w:)?(train\d+)/.exec(group)?.[1] ?? group;
}

function findNegatives({ source, claim, group, positives }: ReturnType<typeof toExample>) {
  if (!MINED.has(source)) return [];
  const found = index.search(`${claim.title} ${claim.text}`, group);
  return found
    .filter(({ text }) => positives.every((positive) => overlap(text, positive) < SAME_TEXT))
    .slice(0, NEGATIVES);
}

function overlap(one: string, other: string): number {
  const [few, many] = [new Set(wordsOf(one)), new Set(wordsOf(other))].sort((a, b) => a.size - b.size);
  return few === undefined || many === undefined
    ? 0
    : [...few].filter((word) => many.has(word)).length / Math.max(1, few.size);
}

function toExample({ id, group, source, claim, sources, evidence }: Pair, texts: string[]) {
  return {
    id,
    group,
    source,
    claim,
    pageTitle: sources[0]?.title ?? '',
    positives: findPositives(claim, texts, evidence),
  };
}

/** Most evidence sentences first; where none stands whole in a passage, that with most of the claim's words. */
function findPositives(claim: Pair['claim'], texts: string[], evidence: string[]): string[] {
  const sentences = evidence.map(squeeze);
  const rated = texts.map((text) => ({ text, held: count(sentences, (sentence) => squeeze(text).includes(sentence)) }));
  const holding = rated.filter(({ held }) => held > 0).sort((a, b) => b.held - a.held);
  if (holding.length > 0) return holding.map(({ text }) => text);
  const words = new Set(wordsOf(`${claim.title} ${claim.text}`));
  const shared = (text: string) => count([...new Set(wordsOf(text))], (word) => words.has(word));
  return texts.toSorted((a, b) => shared(b) - shared(a)).slice(0, 1);
}

function openIndex() {
  const database = new Database(':memory:');
  database.exec(`
    CREATE TABLE passages (id INTEGER PRIMARY KEY, page TEXT, title TEXT, text TEXT, UNIQUE (page, text));
    CREATE VIRTUAL TABLE words USING fts5 (title, text, content=passages, content_rowid=id, tokenize='porter unicode61');
    CREATE TRIGGER kept AFTER INSERT ON passages
      BEGIN INSERT INTO words (rowid, title, text) VALUES (new.id, new.title, new.text); END`);
  const insert = database.prepare('INSERT OR IGNORE INTO passages (page, title, text) VALUES (?, ?, ?)');
  const select = database.prepare<[string, string, number], { title: string; text: string }>(`
    SELECT passages.title, passages.text
    FROM (SELECT rowid AS id, rank FROM words WHERE words MATCH ? ORDER BY rank LIMIT 200) AS found
    JOIN passages USING (id) WHERE page <> ? GROUP BY passages.text ORDER BY min(found.rank) LIMIT ?`);
  return {
    add: database.transaction((page: string, passages: { title: string; text: string }[]) => {
      for (const { title, text } of passages) insert.run(page, title, text);
    }),
    search(text: string, except: string) {
      const words = [...new Set(wordsOf(text))].slice(0, MAX_WORDS).map((word) => `"${word}"`);
      return words.length === 0 ? [] : select.all(words.join(' OR '), except, 2 * NEGATIVES);
    },
  };
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 3 || /\d/.test(word));
}

function squeeze(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

function count<T>(items: T[], holds: (item: T) => boolean): number {
  return items.filter(holds).length;
}
