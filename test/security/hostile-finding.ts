/**
 * A value of any schema in which every string that may be anything is a given text: made from the schema, so that a field that is new
 * is filled from its first day. Out: also a finding with such text in all its fields.
 */
import { z } from 'zod';
import { CheckedCitation, Evidence, Finding, Mismatch, Reliability, SecondOpinion } from '../../shared/citation.ts';
import { Found, Row } from '../../shared/found.ts';
import { hashClaim } from '../../shared/hash.ts';

/** `text` in every field; `id` of its page. No two texts give the same claim. */
export function hostileFinding(text: string, id: number): Finding {
  const filled = fill(Finding, text);
  const whole = { start: 0, end: text.length };
  const evidence = { ...filled.evidence, ...fill(Evidence, text), ...whole };
  const reliability = fill(Reliability, text);
  return Finding.parse({
    ...filled,
    page: { id, title: text },
    claim: { ...filled.claim, hash: hashClaim(text), markerOffset: text.length },
    citations: [{ ...omitGiven(fill(CheckedCitation, text)), reason: null, reliability }],
    ...{ verdict: 'contradicted', uncheckable: null, reason: null, missing: [{ start: 0, end: 3 }] },
    ...{ evidence, mismatches: [{ ...fill(Mismatch, text), claim: whole }] },
    secondOpinion: { ...fill(SecondOpinion, text), evidence: [evidence] },
    suggestion: { ...filled.suggestion, evidence, reliability },
  });
}

/** For a sentence that is the first text, a row in the first column for each of them. At most five. */
export function hostileFound(texts: readonly string[]): Found {
  const found = fill(Found, texts[0] ?? '');
  const searched = { shardsAsked: 1, shardsAnswered: 1, missing: [] };
  return Found.parse({ ...found, searched, supports: texts.map((text) => fill(Row, text)) });
}

/** A text that a person gave is shown without links: this one was fetched. */
function omitGiven({ given: _, ...citation }: CheckedCitation): CheckedCitation {
  return citation;
}

/** A value of this schema. */
export function fill<T>(schema: z.ZodType<T>, text: string): T {
  const node = nodes.get(schema) ?? Node.parse(z.toJSONSchema(schema));
  nodes.set(schema, node);
  return schema.parse(made(node, text));
}

const nodes = new WeakMap<z.ZodType, Node>();

interface Node {
  const?: unknown;
  enum?: unknown[] | undefined;
  anyOf?: Node[] | undefined;
  type?: string | undefined;
  properties?: Record<string, Node> | undefined;
  items?: Node | undefined;
  pattern?: string | undefined;
  format?: string | undefined;
  maxLength?: number | undefined;
  minimum?: number | undefined;
  exclusiveMinimum?: number | undefined;
}

const Node: z.ZodType<Node> = z.object({
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  get anyOf() {
    return z.array(Node).optional();
  },
  /** Nullable ones have two. */
  type: z.preprocess((type) => [type].flat()[0], z.string().optional()),
  get properties() {
    return z.record(z.string(), Node).optional();
  },
  get items() {
    return Node.optional();
  },
  pattern: z.string().optional(),
  format: z.string().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
});

function made(node: Node, text: string): unknown {
  if (node.const !== undefined) return node.const;
  if (node.enum !== undefined) return node.enum[0];
  if (node.anyOf !== undefined) return made(node.anyOf.find(({ type }) => type !== 'null') ?? {}, text);
  switch (node.type) {
    case 'object':
      return Object.fromEntries(Object.entries(node.properties ?? {}).map(([name, each]) => [name, made(each, text)]));
    case 'array':
      return [made(node.items ?? {}, text)];
    case 'string':
      return stringOf(node, text);
    case 'integer':
      return Math.max(node.minimum ?? 0, (node.exclusiveMinimum ?? -1) + 1);
    case 'number':
      return 0.2;
    default:
      return true;
  }
}

function stringOf({ format, pattern, maxLength }: Node, text: string): string {
  if (format === 'date') return '2026-05-03';
  if (format === 'date-time') return '2026-05-03T10:00:00.000Z';
  if (pattern === undefined) return text.slice(0, maxLength);
  const held = OF_PATTERNS.find((example) => new RegExp(pattern, 'i').test(example));
  if (held === undefined) throw new Error(`no example of ${pattern}`);
  return held;
}

/** A hash, a wiki. */
const OF_PATTERNS = ['0123456789abcdef', 'wiki.example:8143'];
