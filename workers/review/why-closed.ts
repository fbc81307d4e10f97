/** Why a finding is no longer open, in words for people. Pure. */
import { isToMend } from './position.ts';
import type { Row } from './queue.ts';

/** Of a finding that is closed, in words for people. */
export function whyClosed(row: Row): string {
  switch (row.closedBecause) {
    case 'fixed':
      return 'The claim has other citations on the page now.';
    case 'reverted':
      return 'The edit that brought this claim or its citation has been undone.';
    case 'reworded':
      return 'The claim has other words on the page now: they are checked by themselves.';
    case 'removed':
      return 'The claim and its citations are no longer on the page.';
    case 'page_deleted':
      return 'The page has been deleted since, or is no article any more.';
    case 'superseded':
      return 'A newer model has judged this claim since.';
    default:
      return whatWasDecided(row);
  }
}

/** What the last decision on a finding says, in words for people. */
export function whatWasDecided({ decision, finding }: Row): string {
  if (!isToMend(finding.verdict)) return decision === 'accept' ? 'A person accepted it.' : 'A person rejected it.';
  return decision === 'accept'
    ? 'A person accepted it: the citation fails. In the article, the gadget offers to mend it.'
    : 'A person rejected it: the citation is fine.';
}
