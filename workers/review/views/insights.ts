/** What was found and decided, in figures: each drawn, as a table, and as a file. In: figures. Out: a page that works without scripts. */
import { html } from 'ghtml';
import type { Assets } from '../assets.ts';
import type { Cell, Figure } from '../insights/figure.ts';
import type { Viewer } from '../session/people.ts';
import { layout } from './layout.ts';

export interface InsightsView {
  assets: Assets;
  viewer: Viewer;
  figures: readonly Figure[];
}

export function insightsPage({ assets, viewer, figures }: InsightsView): string {
  const body = html`
<div class="page-head"><h1>Insights</h1></div>
<p class="quiet">What was checked here and what people said of it. Figures are at most a minute old.</p>
!${figures.map(figureCard)}`;
  return layout({ assets, viewer, title: 'Insights', body });
}

function figureCard({ id, title, note, columns, rows }: Figure): string {
  return html`
<section class="panel figure-card" aria-labelledby="${id}">
<div class="figure-head"><h2 id="${id}">${title}</h2>
<a class="button" href="/insights/${id}.csv" download="sidelight-${id}.csv" aria-label="Download ${title} as CSV">CSV</a></div>
<p class="quiet">${note}</p>
!${rows.length === 0 ? html`<p>Nothing yet.</p>` : html`<div class="figure-scroll" tabindex="0" role="region" aria-label="${title}, drawn"><img class="figure" src="/insights/${id}.svg" alt="${title}. The table below has the same figures."></div>!${table(columns, rows)}`}
</section>`;
}

function table(columns: readonly string[], rows: Figure['rows']): string {
  const line = (cells: readonly Cell[]) =>
    html`<tr>!${cells.map((cell) => html`<td dir="auto">${say(cell)}</td>`)}</tr>`;
  return html`
<details class="note"><summary>As a table</summary>
<div class="figure-scroll" tabindex="0" role="region" aria-label="Table"><table class="figure-table">
<thead><tr>!${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>!${rows.map(line)}</tbody></table></div></details>`;
}

/** Shares to three places; null is not known. */
function say(cell: Cell): string {
  if (cell === null) return '–';
  return typeof cell === 'number' && !Number.isInteger(cell) ? cell.toFixed(3) : String(cell).replaceAll('_', ' ');
}
