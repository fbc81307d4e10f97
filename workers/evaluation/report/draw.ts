/** Marks of Observable Plot → one SVG file's text, dark on white, without a browser. Knows nothing of what is drawn. */
import { type PlotOptions, plot } from '@observablehq/plot';
import { parseHTML } from 'linkedom';

/** Okabe and Ito's colours, which colour-blind people can tell apart. */
export const COLOURS = {
  blue: '#0072B2',
  sky: '#56B4E9',
  yellow: '#F0E442',
  orange: '#D55E00',
  grey: '#595959',
  black: '#1a1a1a',
};

/** A caption to read aloud is `ariaLabel`. In pixels, 720 wide. */
export function drawSvg(options: PlotOptions & { ariaLabel: string }): string {
  const { document } = parseHTML('<!doctype html><html><head></head><body></body></html>');
  const svg = plot({ ...MARGINS, width: 720, ...options, style: STYLE, document });
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg'); // linkedom serialises HTML, where it goes without saying
  return `${svg.outerHTML}\n`;
}

const MARGINS = { marginTop: 36, marginRight: 24, marginBottom: 44, marginLeft: 56 };
const STYLE = { fontFamily: 'sans-serif', fontSize: '14px', background: 'white', color: '#1a1a1a' };
