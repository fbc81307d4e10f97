/** The figures of an evaluation → tables for the terminal. */
import Table from 'cli-table3';
import { round, spellInterval } from '../../workers/evaluation/report/report.ts';
import type { VerificationFigures } from '../../workers/evaluation/verification.ts';

export function evaluationTable({ intervals, baselines, ...figures }: VerificationFigures): string {
  const measured = createTable(['Figure', 'Value', '95 % interval']);
  for (const [name, value] of Object.entries(figures)) {
    measured.push([name, round(value), spellInterval(intervals[name])]);
  }
  const compared = createTable(['Ranking by', 'AUROC supported', 'AUROC not supported']);
  for (const [name, { auroc_supported, auroc_not_supported }] of Object.entries({ ...baselines, engine: figures })) {
    compared.push([name, round(auroc_supported), round(auroc_not_supported)]);
  }
  return `${measured.toString()}\n${compared.toString()}`;
}

function createTable(head: string[]) {
  return new Table({ head, style: { head: [], border: [], compact: true } });
}
