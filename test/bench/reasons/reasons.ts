/** How well unavailable reasons are told apart: precision and recall over the labelled set, and what is wrong. */
import { countReasons, judgeSet, readSet } from '../../workers/source/unavailable-set.ts';
import { type Benchmark, line } from '../benchmark.ts';

/** Of the whole set, and of the third that is kept aside while predicates are tuned. */
export const reasons: Benchmark = {
  name: 'reasons',
  about: 'why pages are no source: precision and recall over the labelled set',
  parts: ['set'],
  async run() {
    const judged = await judgeSet(await readSet());
    const aside = judged.filter(({ keptAside }) => keptAside);
    const right = (set: typeof judged) => set.filter(({ label, given }) => label === given).length / set.length;
    const wrong = judged.filter(({ label, given }) => label !== given).map(({ name, given }) => `${name}: ${given}`);
    const figures = { all: countReasons(judged), aside: countReasons(aside), wrong };
    const note = `of ${judged.length} labelled pages; quality, not speed`;
    const results = [
      line({ name: 'told as labelled', ours: right(judged), unit: 'share', note }),
      line({ name: 'the same, kept aside', ours: right(aside), unit: 'share', note: `of ${aside.length}` }),
    ];
    return { figures, results };
  },
};
