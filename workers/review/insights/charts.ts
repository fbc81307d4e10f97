/** Figures → SVG files, drawn by Observable Plot. Dark on white; the page turns them round where it is dark. */
import { barX, dot, gridX, gridY, line, link, rectY, ruleY, stackX, stackY, text } from '@observablehq/plot';
import { COLOURS, drawSvg } from '../../evaluation/report/draw.ts';
import type { Cell, Figure, FigureId } from './figure.ts';

/** `''` for a figure without a row. */
export function drawFigure(figure: Figure): string {
  return figure.rows.length === 0 ? '' : DRAW[figure.id](recordsOf(figure), figure.title);
}

type Row = Record<string, Cell>;

function recordsOf({ columns, rows }: Figure): Row[] {
  return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null])));
}

const DRAW: Record<FigureId, (rows: Row[], title: string) => string> = {
  precision: drawPrecision,
  decisions: drawDays,
  projects: (rows, title) => drawStack(rows, title, 'project'),
  funnel: (rows, title) => drawBars(rows, title, { y: 'step', x: 'claims' }),
  unread: (rows, title) => drawBars(rows, title, { y: 'reason', x: 'citations' }),
  hosts: (rows, title) => drawBars(rows, title, { y: 'host', x: 'unread' }),
  models: drawModels,
};

const SHARE = { domain: [0, 1], ticks: 10 };
const SOURCES = ['decided here', 'published'];
const DECISIONS = ['accept', 'reject', 'cant_tell', 'skip'];
/** All of a middle lightness: they are seen on black too. */
const DECISION_COLOURS = [COLOURS.orange, COLOURS.blue, '#7b4fa3', COLOURS.grey];

function drawPrecision(rows: Row[], title: string): string {
  const points = rows.map((row) => ({ ...row, middle: (Number(row['score from']) + Number(row['score below'])) / 2 }));
  const published = points.filter((row) => Reflect.get(row, 'source') === 'published');
  return drawSvg({
    ariaLabel: title,
    height: 440,
    marginTop: 60,
    x: { ...SHARE, label: 'Score: P(supported) →' },
    y: { ...SHARE, label: '↑ Share that failed; number: citations decided on' },
    color: { type: 'ordinal', domain: SOURCES, range: [COLOURS.orange, COLOURS.blue] },
    marks: [
      gridX(),
      gridY(),
      line(published, { x: 'middle', y: 'share', stroke: COLOURS.blue, strokeDasharray: '5 4' }),
      link(points, { x1: 'middle', x2: 'middle', y1: 'low', y2: 'high', stroke: 'source', strokeWidth: 1.5 }),
      dot(points, { x: 'middle', y: 'share', r: 5, fill: 'source' }),
      text(points, { x: 'middle', y: 'share', text: 'decided', dx: 10, textAnchor: 'start', fill: 'source', ...HALO }),
      ...legend(SOURCES, [COLOURS.orange, COLOURS.blue]),
    ],
  });
}

function drawDays(rows: Row[], title: string): string {
  const days = rows.map((row) => ({ ...row, date: new Date(`${row.day}T00:00:00Z`) }));
  const times = days.map(({ date }) => date.getTime());
  const end = Math.max(...times) + DAY_MS;
  return drawSvg({
    ariaLabel: title,
    height: 340,
    marginTop: 60,
    x: { label: null, type: 'utc', domain: [new Date(Math.min(end - 14 * DAY_MS, ...times)), new Date(end)] },
    y: { label: '↑ Decisions', grid: true, ...counts(rows, 'count') },
    color: { type: 'ordinal', domain: DECISIONS, range: DECISION_COLOURS },
    marks: [
      rectY(days, stackY({ x: 'date', y: 'count', fill: 'decision', order: DECISIONS, interval: 'day' })),
      ruleY([0]),
      ...legend(DECISIONS.map(spell), DECISION_COLOURS),
    ],
  });
}

function drawStack(rows: Row[], title: string, y: string): string {
  const names = [...new Set(rows.map((row) => row[y]))];
  return drawSvg({
    ariaLabel: title,
    marginLeft: marginFor(names.map(String)),
    marginTop: 48,
    height: 90 + 26 * names.length,
    x: { label: 'Decisions →', grid: true, ...counts(rows, 'count') },
    y: { label: null, domain: names },
    color: { type: 'ordinal', domain: DECISIONS, range: DECISION_COLOURS },
    marks: [
      barX(rows, stackX({ x: 'count', y, fill: 'decision', order: DECISIONS })),
      ...legend(DECISIONS.map(spell), DECISION_COLOURS),
    ],
  });
}

function drawBars(rows: Row[], title: string, { x, y }: { x: string; y: string }): string {
  return drawSvg({
    ariaLabel: title,
    marginLeft: marginFor(rows.map((row) => String(row[y]))),
    marginRight: 64,
    height: 80 + 26 * rows.length,
    x: { label: `${spell(x)} →`, grid: true, ...counts(rows, x) },
    y: { label: null, domain: rows.map((row) => row[y]), tickFormat: (name: Cell) => spell(String(name)) },
    marks: [
      barX(rows, { x, y, fill: COLOURS.blue }),
      text(rows, { x, y, text: x, dx: 6, textAnchor: 'start', fill: COLOURS.black }),
    ],
  });
}

function drawModels(rows: Row[], title: string): string {
  const named = rows.map((row) => ({ ...row, name: `${row.model} (${row.confirmed} of ${row.decided})` }));
  const decided = named.filter((row) => Reflect.get(row, 'share') !== null);
  return drawSvg({
    ariaLabel: title,
    marginLeft: 220,
    height: 90 + 30 * named.length,
    x: { ...SHARE, label: 'Share of the decided that people confirmed, with its 95 % interval →' },
    y: { label: null, domain: named.map(({ name }) => name) },
    marks: [
      gridX(),
      link(decided, { x1: 'low', x2: 'high', y1: 'name', y2: 'name', stroke: COLOURS.blue, strokeWidth: 1.5 }),
      dot(decided, { x: 'share', y: 'name', r: 5, fill: COLOURS.blue }),
    ],
  });
}

/** Plot's own legends are HTML beside the SVG. */
function legend(names: readonly string[], colours: readonly string[]) {
  const place = { frameAnchor: 'top-left', text: (row: string) => row } as const;
  return names.flatMap((name, at) => [
    text(['■'], { ...place, dy: -24, dx: 130 * at, fill: colours[at] ?? COLOURS.black, fontSize: 18 }),
    text([name], { ...place, dy: -22, dx: 130 * at + 18, fill: COLOURS.black }),
  ]);
}

function spell(code: string): string {
  return code.replaceAll('_', ' ');
}

/** Room for the longest name: a letter is about eight pixels wide. Half of the picture is left to what is drawn. */
function marginFor(names: readonly string[]): number {
  return Math.min(360, Math.max(220, 20 + 8 * Math.max(...names.map((name) => name.length))));
}

/** No ticks between whole numbers. */
function counts(rows: readonly Row[], column: string): { ticks: number } {
  return { ticks: Math.min(8, Math.max(1, ...rows.map((row) => Number(row[column])))) };
}

const DAY_MS = 24 * 3600 * 1000;

/** Around letters, so that they can be read over lines. */
const HALO = { stroke: 'white', strokeWidth: 4 };
