/**
 * An evaluation → a folder with report.md and its pictures. It quotes claims and pages: it is for who measures, not for
 * publishing. No point of SIDE's own curve is drawn: it was measured on other citations (WAFER).
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Interval } from '../bootstrap.ts';
import type { JudgedPair } from '../judge-pairs.ts';
import type { Label } from '../pairs.ts';
import { type Evaluation, rankings } from '../verification.ts';
import { breakDownKinds, breakDownVerdicts, type KindFigures, type VerdictFigures, worstRows } from './breakdown.ts';
import { drawCalibration, drawKinds, drawPrecisionRecall, drawVerdicts, spell } from './charts.ts';

const WORST = 20;

/** `files`: the names of the pairs' files, for the heading. Makes the folder; writes over an earlier report in it. */
export async function writeReport(
  folder: string,
  evaluation: Evaluation,
  source: { engine: string; files: readonly string[] },
): Promise<void> {
  const { rows, figures } = evaluation;
  const { failed, supported, notSupported } = rankings(rows);
  const verdicts = breakDownVerdicts(rows);
  const kinds = breakDownKinds(rows, figures.threshold);
  const files: Record<string, string> = {
    'precision-recall.svg': drawPrecisionRecall(failed),
    'calibration-supported.svg': drawCalibration(supported, 'P(supported)'),
    'calibration-failed.svg': drawCalibration(notSupported, 'P(failed)'),
    'verdicts.svg': drawVerdicts(verdicts),
    ...(kinds.length === 0 ? {} : { 'kinds.svg': drawKinds(kinds) }),
    'report.md': writeMarkdown(evaluation, source, verdicts, kinds),
  };
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
}

function writeMarkdown(
  { figures, rows }: Evaluation,
  { engine, files }: { engine: string; files: readonly string[] },
  verdicts: readonly VerdictFigures[],
  kinds: readonly KindFigures[],
): string {
  return [
    '# Evaluation of the verification engine',
    `Engine \`${engine}\`, threshold ${round(figures.threshold)}. ${figures.n} labelled pairs of ${files.map((file) => `\`${file}\``).join(', ')}. Intervals: 95 %, bootstrap over articles.`,
    figuresTable(figures),
    '## Against simple rankings',
    baselinesTable(figures),
    '## Precision and recall of “failed”',
    'Ranked by 1 − P(supported); failed: labelled partially or not supported. Band: 95 % of each point (Wilson). SIDE (Petroni et al. 2023, Fig. 3) gives the same curve for other citations (WAFER); none of its points is drawn here.',
    '![Precision–recall](precision-recall.svg)',
    '## Calibration',
    'P(supported) against the label “supported”, P(failed) against “not supported”; ten bins of equal width.',
    '![P(supported)](calibration-supported.svg) ![P(failed)](calibration-failed.svg)',
    '## By verdict',
    verdictsTable(verdicts),
    '![Verdicts](verdicts.svg)',
    ...(kinds.length === 0 ? [] : ['## By kind', kindsTable(kinds), '![Kinds](kinds.svg)']),
    '## The rows that are most wrong',
    worstTable(worstRows(rows, figures.threshold, WORST)),
    '',
  ].join('\n\n');
}

function figuresTable({ intervals, baselines, pairs_per_second, ...figures }: Evaluation['figures']): string {
  const lines = Object.entries(figures).map(([name, value]) => [name, round(value), spellInterval(intervals[name])]);
  return table(['figure', 'value', '95 %'], lines);
}

function baselinesTable({ baselines, auroc_supported, auroc_not_supported }: Evaluation['figures']): string {
  const all = Object.entries({ ...baselines, 'this engine': { auroc_supported, auroc_not_supported } });
  return table(
    ['ranking by', 'AUROC supported', 'AUROC not supported'],
    all.map(([name, figures]) => [spell(name), round(figures.auroc_supported), round(figures.auroc_not_supported)]),
  );
}

function verdictsTable(verdicts: readonly VerdictFigures[]): string {
  return table(
    ['verdict', 'rows', ...LABELS.map((label) => `labelled ${spell(label)}`)],
    verdicts.map(({ verdict, n, labels }) => [spell(verdict), `${n}`, ...LABELS.map((label) => `${labels[label]}`)]),
  );
}

function kindsTable(kinds: readonly KindFigures[]): string {
  return table(
    ['kind', 'rows', ...LABELS.map((label) => `labelled ${spell(label)}`), 'decided right', 'mean P(supported)'],
    kinds.map(({ kind, n, labels, right, meanScore }) => [
      escapeMarkdown(kind),
      `${n}`,
      ...LABELS.map((label) => `${labels[label]}`),
      round(right / n),
      round(meanScore),
    ]),
  );
}

function worstTable(rows: readonly JudgedPair[]): string {
  if (rows.length === 0) return 'None: every row is on the right side of the threshold.';
  return table(
    ['row', 'label', 'P(supported)', 'verdict', 'claim', 'quote'],
    rows.map(({ id, label, claim, opinion: { score, verdict, evidence } }) => [
      escapeMarkdown(id),
      spell(label),
      round(score),
      spell(verdict),
      escapeMarkdown(claim),
      evidence === null ? '–' : `“${escapeMarkdown(evidence.quote)}” (${escapeMarkdown(evidence.url)})`,
    ]),
  );
}

const LABELS: readonly Label[] = ['supported', 'partially_supported', 'not_supported'];

export function spellInterval(interval: Interval | undefined): string {
  return interval === undefined ? '' : `[${round(interval[0])}, ${round(interval[1])}]`;
}

export function round(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return Number.isInteger(value) ? `${value}` : value.toFixed(3);
}

function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...lines.map(row)].join('\n');
}

/** What claims and pages say must neither end the cell nor become markup. */
function escapeMarkdown(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>|~#&]/g, '\\$&');
}
