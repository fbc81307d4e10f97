/** `sidelight evaluate extraction`: a folder of pages with their right texts → precision, recall, F1, and time a page. */
import { writeFile } from 'node:fs/promises';
import { type ExtractText, type Measured, measureExtraction } from '../../workers/evaluation/extraction/measure.ts';
import { readWithReadability } from '../../workers/evaluation/extraction/readability.ts';
import { extract } from '../../workers/source/extract/extract.ts';
import { print } from './print.ts';

export interface EvaluateExtractionOptions {
  pages: string;
  out?: string;
  peer?: 'readability';
  json: boolean;
}

export async function evaluateExtraction({ pages, out, peer, json }: EvaluateExtractionOptions): Promise<void> {
  const { measured, texts } = await measureExtraction(pages, extractText);
  if (out !== undefined) await writeFile(out, JSON.stringify(texts, null, 1));
  const beside = peer === undefined ? {} : { [peer]: (await measureExtraction(pages, readWithReadability)).measured };
  const answer = { sidelight: measured, ...beside };
  print(json ? answer : Object.entries(answer).map(describe).join('\n'));
}

const extractText: ExtractText = async (body) => {
  const extracted = await extract(body, 'text/html', 'body');
  return 'kind' in extracted ? '' : extracted.text;
};

function describe([name, measured]: [string, Measured]): string {
  const figures = (['f1', 'f1_of_means', 'precision', 'recall'] as const).map((figure) => {
    const [low, high] = measured.intervals[figure] ?? [Number.NaN, Number.NaN];
    return `${figure} ${measured[figure].toFixed(3)} (${low.toFixed(3)}–${high.toFixed(3)})`;
  });
  return `${name}: ${measured.pages} pages; ${figures.join(', ')}; ${measured.ms_per_page.toFixed(0)} ms a page`;
}
