/**
 * What the other stages send → the review database. Next: the checks of claims that an edit put in the place of others, if nobody does
 * them, and of claims whose source can be read again. What a check brought is told to it too.
 */
import { isCheck } from '../../shared/check-name.ts';
import { count } from '../../shared/metrics.ts';
import type { Handler, Input, Next } from '../../shared/pipeline.ts';
import { span } from '../../shared/tracing.ts';
import type { CheckRecords } from './checks/store.ts';
import type { Findings } from './findings.ts';

export interface ReviewDependencies {
  findings: Pick<Findings, 'record' | 'reconcile' | 'pageDeleted' | 'sourceBack'>;
  /** Default: no checks are kept here. */
  checks?: CheckRecords;
}

export function createReview({ findings, checks }: ReviewDependencies): Handler<'review'> {
  return async (input) => {
    const next = await keep(input);
    if (checks !== undefined) await tellCheck(input, checks);
    return { answer: null, next };
  };

  async function keep(input: Input<'review'>): Promise<Next[]> {
    switch (input.kind) {
      case 'finding':
        count('sidelight_findings_total', { verdict: input.finding.verdict });
        return span('sql record', {}, () => findings.record(input.finding));
      case 'revision':
        return span('sql reconcile', {}, () => findings.reconcile(input));
      case 'page_deleted':
        await findings.pageDeleted(input);
        return [];
      case 'found':
        return [];
      case 'source_back':
        return findings.sourceBack(input);
    }
  }
}

async function tellCheck(input: Input<'review'>, checks: CheckRecords): Promise<void> {
  if (!('request' in input) || input.request === undefined || !isCheck(input.request)) return;
  if (input.kind === 'finding') await checks.finding(input.request, input.finding);
  else if (input.kind === 'revision') await checks.revision(input.request, input.checking);
  else await checks.found(input.request, input.found);
}
