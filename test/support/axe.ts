/** What axe-core finds wrong on a page as it is now, for people who don't use a mouse or don't see it. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Serious and critical violations, each with the elements that have it; of one part of the page, or of all of it. */
export async function seriousIn(page: Page, part = 'html'): Promise<string[]> {
  await page.evaluate(source); // as a debugger does: a strict policy lets no page load it
  const { violations } = (await page.evaluate(`axe.run(document.querySelector(${JSON.stringify(part)}))`)) as Results;
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

/** As axe documents it: https://github.com/dequelabs/axe-core/blob/develop/doc/API.md#results-object */
interface Results {
  violations: { id: string; impact: string | null; nodes: { html: string }[] }[];
}
