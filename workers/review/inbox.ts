/** What the other stages send → the review database. The last stage: nothing comes next. */
import type { Handler } from '../../shared/pipeline.ts';
import type { Findings } from './findings.ts';

export function createReview({
  findings,
}: {
  findings: Pick<Findings, 'record' | 'reconcile' | 'pageDeleted'>;
}): Handler<'review'> {
  return async (input) => {
    if (input.kind === 'finding') await findings.record(input.finding);
    else if (input.kind === 'revision') await findings.reconcile(input);
    else await findings.pageDeleted(input);
    return { answer: null, next: [] };
  };
}
