/** Which coded reasons a person may give for a decision on a verdict. One table, for forms, API and export. Pure. */
import type { Decision, DecisionReason, Verdict } from '../../shared/citation.ts';

/** In the order in which they are offered; [] where none fits. */
export function reasonsFor(decision: Decision, verdict: Verdict): readonly DecisionReason[] {
  if (decision === 'skip') return [];
  if (decision === 'cant_tell') return ASIDE;
  return REASONS[verdict][decision];
}

/** They say nothing of what the source says. */
const ASIDE = ['source_unreadable', 'claim_reworded'] as const;

const FAILS = ['source_disagrees', 'source_silent', 'partly'] as const;
const FAILING = { accept: FAILS, reject: ASIDE };
const UNREAD = { accept: [], reject: ['claim_reworded'] } as const;

const REASONS: Record<Verdict, Record<'accept' | 'reject', readonly DecisionReason[]>> = {
  contradicted: FAILING,
  not_supported: FAILING,
  partially_supported: FAILING,
  supported: { accept: [], reject: [...FAILS, ...ASIDE] },
  unavailable: { accept: ['source_unreadable'], reject: ['claim_reworded'] },
  unsourced: UNREAD,
  uncheckable: UNREAD,
  unsupported_language: UNREAD,
};
