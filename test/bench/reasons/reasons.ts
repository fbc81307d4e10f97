/** How well unavailable reasons are told apart: prints precision and recall over the labelled set, and what is wrong. */
import { countReasons, judgeSet, readSet, toTable } from '../../workers/source/unavailable-set.ts';

/** Of the whole set, and of the third that is kept aside while predicates are tuned. */
export async function benchReasons({ json }: { json: boolean }): Promise<void> {
  const judged = await judgeSet(await readSet());
  const aside = judged.filter(({ keptAside }) => keptAside);
  const wrong = judged.filter(({ label, given }) => label !== given).map(({ name, given }) => `${name}: ${given}`);
  const report = { all: countReasons(judged), aside: countReasons(aside), wrong };
  if (json) process.stdout.write(`${JSON.stringify(report)}\n`);
  else process.stdout.write(`${toTable(report.all)}\nkept aside\n${toTable(report.aside)}\n${wrong.join('\n')}\n`);
}
