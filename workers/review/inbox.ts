/**
 * What the other stages send → the review database. Next: the checks of claims that an edit put in the place of others, if nobody does
 * them, and of claims whose source can be read again.
 */
import type { Handler } from '../../shared/pipeline.ts';
import type { Findings } from './findings.ts';

export function createReview({
  findings,
}: {
  findings: Pick<Findings, 'record' | 'reconcile' | 'pageDeleted' | 'sourceBack'>;
}): Handler<'review'> {
  return async (input) => {
    switch (input.kind) {
      case 'finding':
        return { answer: null, next: await findings.record(input.finding) };
      case 'revision':
        return { answer: null, next: await findings.reconcile(input) };
      case 'page_deleted':
        await findings.pageDeleted(input);
        return { answer: null, next: [] };
      case 'source_back':
        return { answer: null, next: await findings.sourceBack(input) };
    }
  };
}
