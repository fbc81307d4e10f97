/**
 * What loading the gadget costs a reader: processor time of the page's main thread on an article with 200 references, beside the
 * same page with an empty gadget. A real wiki, the real service, Chromium.
 */
import type { CDPSession, Page } from 'playwright-core';
import { buildGadget } from '../../../deploy/gadget/build.ts';
import { RefuseToStart } from '../../../shared/errors.ts';
import { articleUrl, type Site, startSite, suggestion } from '../../gadget/site.ts';
import { chromiumUnavailable } from '../../support/chromium.ts';
import { wikiUnavailable } from '../../support/wiki.ts';
import { type Benchmark, beside, type Measured, type Result, runParts, type Size } from '../benchmark.ts';
import { median } from '../numbers.ts';

const SCALE: Record<Size, { rounds: number; references: number }> = {
  tiny: { rounds: 1, references: 4 },
  quick: { rounds: 3, references: 200 },
  full: { rounds: 7, references: 200 },
};

export const gadget: Benchmark = {
  name: 'gadget',
  about: 'what loading the gadget costs the main thread of an article, beside an empty gadget',
  parts: ['load'],
  run({ size, rounds, parts }) {
    const scale = SCALE[size];
    return runParts('gadget', { load: () => load(rounds ?? scale.rounds, scale.references) }, parts);
  },
};

/** `empty`: the peer. `before`: the reader has not agreed. `marks`: the reader has, and a quarter of the claims have findings. */
type Variant = 'empty' | 'before' | 'marks';
const VARIANTS: readonly Variant[] = ['empty', 'before', 'marks'];

async function load(rounds: number, references: number): Promise<Measured> {
  const missing = wikiUnavailable() ?? chromiumUnavailable();
  if (missing !== null) throw new RefuseToStart(missing);
  const site = await startSite();
  try {
    await fill(site, references);
    const { script } = await buildGadget(site.service);
    const loads = new Map(VARIANTS.map((variant) => [variant, [] as Load[]]));
    for (let round = -1; round < rounds; round++) {
      for (const variant of VARIANTS) {
        await site.admin.save(SCRIPT, variant === 'empty' ? '/* nothing */' : script);
        const load = await measure(site, variant, references);
        if (round >= 0) loads.get(variant)?.push(load); // the first warms the wiki's caches
      }
    }
    const figures = { references, rounds, ...summarize(loads) };
    return { figures, results: resultsOf(loads, references) };
  } finally {
    await site.stop();
  }
}

function resultsOf(loads: ReadonlyMap<Variant, readonly Load[]>, references: number): Result[] {
  const task = (variant: Variant) => median((loads.get(variant) ?? []).map((load) => load.task));
  const compare = (name: string, variant: Variant) => {
    const note = `main thread of an article with ${references} references; cost ${(task(variant) - task('empty')).toFixed(0)} ms`;
    const peerName = 'an empty gadget';
    return beside({ name, unit: 'ms', ours: task(variant), peer: task('empty'), peerName, better: 'less', note });
  };
  return [compare('gadget load, not agreed to', 'before'), compare('gadget load, with marks', 'marks')];
}

/** Milliseconds of the main thread; how many tasks took 50 ms and more, and the longest of them. */
interface Load {
  task: number;
  script: number;
  layout: number;
  longTasks: number;
  longest: number;
}

async function fill(site: Site, references: number): Promise<void> {
  const sentences = Array.from({ length: references }, (_, i) => {
    const cited = `<ref>{{cite web |url=https://pages.example/${i} |title=Page ${i}}}</ref>`;
    return `Mill ${i} of the bay was built of stone in ${1500 + i} by its owner.${cited}${i % 4 === 3 ? '\n\n' : ' '}`;
  });
  const article = await site.write(TITLE, `${sentences.join('')}\n\n{{reflist}}`);
  for (let i = 0; i < references; i += 4) {
    await article.find(`Mill ${i} of the bay`, suggestion(`https://better.example/${i}`, `Mill ${i}`));
  }
}

async function measure(site: Site, variant: Variant, references: number): Promise<Load> {
  const page = await site.browser.newPage();
  try {
    const agree = variant === 'marks' ? `localStorage.setItem('sidelight-consent', '${site.service}')` : '';
    await page.addInitScript(`localStorage.clear(); ${agree}; ${WATCH}`);
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true }); // or the script of the variant before would be run
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.goto(articleUrl(site.wiki, TITLE));
    await page.waitForLoadState('networkidle');
    if (variant === 'marks')
      await page
        .locator('.sidelight-badge')
        .nth(Math.floor(references / 5))
        .waitFor();
    return { ...(await times(session)), ...(await longTasks(page)) };
  } finally {
    await page.close();
  }
}

async function times(session: CDPSession): Promise<Pick<Load, 'task' | 'script' | 'layout'>> {
  const { metrics } = await session.send('Performance.getMetrics');
  const ms = (name: string) => 1000 * (metrics.find((metric) => metric.name === name)?.value ?? Number.NaN);
  return {
    task: ms('TaskDuration'),
    script: ms('ScriptDuration'),
    layout: ms('LayoutDuration') + ms('RecalcStyleDuration'),
  };
}

async function longTasks(page: Page): Promise<Pick<Load, 'longTasks' | 'longest'>> {
  const durations = (await page.evaluate('window.longTasks')) as number[]; // as WATCH makes it
  return { longTasks: durations.length, longest: Math.max(0, ...durations) };
}

function summarize(loads: ReadonlyMap<Variant, readonly Load[]>) {
  const of = (variant: Variant, name: keyof Load) => median((loads.get(variant) ?? []).map((load) => load[name]));
  const all = (variant: Variant) => ({
    task_ms: of(variant, 'task'),
    script_ms: of(variant, 'script'),
    layout_ms: of(variant, 'layout'),
    long_tasks: of(variant, 'longTasks'),
    longest_ms: of(variant, 'longest'),
  });
  const cost = (variant: Variant) => of(variant, 'task') - of('empty', 'task');
  return {
    ...Object.fromEntries(VARIANTS.map((variant) => [variant, all(variant)])),
    cost_ms: { before: cost('before'), marks: cost('marks') },
  };
}

const SCRIPT = 'MediaWiki:Gadget-sidelight.js';
const TITLE = 'Mills of the bay';
const WATCH = `window.longTasks = []; new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) window.longTasks.push(duration);
}).observe({ type: 'longtask', buffered: true })`;
