/** Judged pairs → the report's pictures, as SVG. */
import { areaY, barX, dot, gridX, gridY, line, link, ruleX, ruleY, stackX, text } from '@observablehq/plot';
import { calibrationBins, type Scored } from '../metrics.ts';
import { precisionCurve, wilsonInterval } from '../precision-curve.ts';
import type { KindFigures, VerdictFigures } from './breakdown.ts';
import { COLOURS, drawSvg } from './draw.ts';

const SHARE = { domain: [0, 1], ticks: 10 };
const DASHED = { strokeDasharray: '5 4' };
/** Around letters, so that they can be read over lines. */
const HALO = { stroke: 'white', strokeWidth: 4 };

/** Precision over recall with its interval, and the share of positives, which is what guessing reaches. */
export function drawPrecisionRecall(rows: readonly Scored[]): string {
  const curve = precisionCurve(rows);
  const guessing = curve.at(-1)?.precision ?? Number.NaN;
  return drawSvg({
    ariaLabel: 'Precision of “failed” over recall',
    height: 440,
    x: { ...SHARE, label: 'Recall: share of the failed citations that are found →' },
    y: { ...SHARE, label: '↑ Precision: share of the found that failed' },
    marks: [
      gridX(),
      gridY(),
      areaY(curve, { x: 'recall', y1: 'low', y2: 'high', fill: COLOURS.blue, fillOpacity: 0.18 }),
      ruleY([guessing], { stroke: COLOURS.grey, ...DASHED }),
      text([[0.99, guessing]], {
        text: () => `guessing: ${guessing.toFixed(2)}`,
        textAnchor: 'end',
        dy: 12,
        fill: COLOURS.grey,
        ...HALO,
      }),
      ruleX([0.15], { stroke: COLOURS.orange, ...DASHED }),
      text([[0.16, 0.03]], { text: () => 'recall .15', textAnchor: 'start', fill: COLOURS.orange, ...HALO }),
      line(curve, { x: 'recall', y: 'precision', stroke: COLOURS.blue, strokeWidth: 2 }),
    ],
  });
}

/** Share of positives in each bin over its mean score, with interval and count; on the diagonal a score means what it says. */
export function drawCalibration(rows: readonly Scored[], name: string): string {
  const bins = calibrationBins(rows).filter(({ n }) => n > 0);
  const points = bins.map(({ n, positives, meanScore }) => {
    const [low, high] = wilsonInterval(positives, n);
    return { score: meanScore, share: positives / n, low, high, n };
  });
  return drawSvg({
    ariaLabel: `Calibration of ${name}`,
    width: 560,
    height: 520,
    x: { ...SHARE, label: `Mean ${name} of the bin →` },
    y: { ...SHARE, label: '↑ Share of the bin of which it is true; number: rows of the bin' },
    marks: [
      gridX(),
      gridY(),
      line(
        [
          [0, 0],
          [1, 1],
        ],
        { stroke: COLOURS.grey, ...DASHED },
      ),
      link(points, { x1: 'score', x2: 'score', y1: 'low', y2: 'high', stroke: COLOURS.blue, strokeWidth: 1.5 }),
      dot(points, { x: 'score', y: 'share', r: 5, fill: COLOURS.blue }),
      text(points, {
        x: 'score',
        y: 'share',
        text: ({ n }) => `${n}`,
        textAnchor: 'start',
        dx: 9,
        fill: COLOURS.black,
        ...HALO,
      }),
    ],
  });
}

const LABELS = [
  { name: 'supported', label: 'supported', colour: COLOURS.sky, legendAt: -140 },
  { name: 'partially supported', label: 'partially_supported', colour: COLOURS.yellow, legendAt: 40 },
  { name: 'not supported', label: 'not_supported', colour: COLOURS.orange, legendAt: 275 },
] as const;

/** How the labels are spread under each verdict. */
export function drawVerdicts(verdicts: readonly VerdictFigures[]): string {
  const bars = verdicts.flatMap(({ verdict, n, labels }) =>
    LABELS.map(({ name, label }) => ({ verdict: `${spell(verdict)} (${n})`, name, count: labels[label] })),
  );
  const longest = Math.max(...verdicts.map(({ n }) => n));
  const stacked = { x: 'count', y: 'verdict', z: 'name', order: LABELS.map(({ name }) => name) };
  return drawSvg({
    ariaLabel: 'Labels under each verdict',
    marginLeft: 200,
    marginTop: 48,
    height: 94 + 44 * verdicts.length,
    x: { label: 'Rows →' },
    y: { label: null, domain: [...new Set(bars.map(({ verdict }) => verdict))] },
    color: { type: 'ordinal', domain: LABELS.map(({ name }) => name), range: LABELS.map(({ colour }) => colour) },
    marks: [
      barX(bars, stackX({ ...stacked, fill: 'name' })),
      text(bars, stackX({ ...stacked, text: ({ count }) => (count < longest / 25 ? '' : `${count}`), fill: 'black' })),
      ...LABELS.flatMap(({ name, colour, legendAt }) => legend(`labelled ${name}`, colour, legendAt)),
    ],
  });
}

/** `at`: pixels from the frame's left. Plot's own legends are HTML beside the SVG. */
function legend(name: string, colour: string, at: number) {
  const place = { frameAnchor: 'top-left', dy: -34, text: (row: string) => row } as const;
  return [
    text(['■'], { ...place, dx: at, fill: colour, fontSize: 18 }),
    text([name], { ...place, dx: at + 18, dy: -32, fill: COLOURS.black }),
  ];
}

/** Of each kind of claim the share that is decided right. */
export function drawKinds(kinds: readonly KindFigures[]): string {
  const points = kinds.map(({ kind, n, right }) => {
    const [low, high] = wilsonInterval(right, n);
    return { kind: `${spell(kind)} (${n})`, share: right / n, low, high };
  });
  return drawSvg({
    ariaLabel: 'Share of each kind of claim that is decided right',
    marginLeft: 200,
    height: 80 + 26 * kinds.length,
    x: { ...SHARE, label: 'Share on the right side of the threshold, with its 95 % interval →' },
    y: { label: null, domain: points.map(({ kind }) => kind) },
    marks: [
      gridX(),
      link(points, { x1: 'low', x2: 'high', y1: 'kind', y2: 'kind', stroke: COLOURS.blue, strokeWidth: 1.5 }),
      dot(points, { x: 'share', y: 'kind', r: 5, fill: COLOURS.blue }),
    ],
  });
}

export function spell(code: string): string {
  return code.replaceAll('_', ' ');
}
