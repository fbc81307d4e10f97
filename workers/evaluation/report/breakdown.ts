/** Judged pairs → counts under each verdict and kind, and the rows that are most wrong. Draws and writes nothing. */
import type { Verdict } from '../../../shared/citation.ts';
import { groupBy } from '../group.ts';
import type { JudgedPair } from '../judge-pairs.ts';
import type { Label } from '../pairs.ts';

export interface VerdictFigures {
  verdict: Verdict;
  n: number;
  labels: Record<Label, number>;
}

export interface KindFigures {
  kind: string;
  n: number;
  labels: Record<Label, number>;
  /** Rows on the right side of the threshold: supported or not. */
  right: number;
  meanScore: number;
}

/** Of the verdicts that were given, the most frequent first. */
export function breakDownVerdicts(rows: readonly JudgedPair[]): VerdictFigures[] {
  const groups = [...groupBy(rows, ({ opinion }) => opinion.verdict)];
  const verdicts = groups.map(([verdict, members]) => ({ verdict, n: members.length, labels: countLabels(members) }));
  return verdicts.sort((a, b) => b.n - a.n);
}

/** Of the kinds that rows carry, the one that is decided best first; [] where no row carries one. */
export function breakDownKinds(rows: readonly JudgedPair[], threshold: number): KindFigures[] {
  const groups = [...groupBy(rows, ({ kind }) => kind)];
  const kinds = groups.flatMap(([kind, members]) => (kind === null ? [] : [measureKind(kind, members, threshold)]));
  return kinds.sort((a, b) => b.right / b.n - a.right / a.n);
}

/** By the distance of P(supported) from the label, supported or not; only rows on the wrong side of the threshold. */
export function worstRows(rows: readonly JudgedPair[], threshold: number, limit: number): JudgedPair[] {
  const wrong = rows.filter((row) => !isRight(row, threshold));
  return wrong.sort((a, b) => error(b) - error(a)).slice(0, limit);
}

function measureKind(kind: string, members: readonly JudgedPair[], threshold: number): KindFigures {
  return {
    kind,
    n: members.length,
    labels: countLabels(members),
    right: members.filter((row) => isRight(row, threshold)).length,
    meanScore: members.reduce((sum, { opinion }) => sum + opinion.score, 0) / members.length,
  };
}

function isRight({ label, opinion }: JudgedPair, threshold: number): boolean {
  return opinion.score >= threshold === (label === 'supported');
}

function error({ label, opinion }: JudgedPair): number {
  return label === 'supported' ? 1 - opinion.score : opinion.score;
}

function countLabels(rows: readonly JudgedPair[]): Record<Label, number> {
  const labels = { supported: 0, partially_supported: 0, not_supported: 0 };
  for (const { label } of rows) labels[label] += 1;
  return labels;
}
