/** What codes and numbers mean, in the words of the review page. */
import type {
  ClosedBecause,
  Decision,
  DecisionReason,
  Mismatch,
  SecondOpinion,
  UnavailableReason,
  UncheckableReason,
  Verdict,
} from '../../../shared/citation.ts';

export const VERDICTS: Record<Verdict, string> = {
  contradicted: 'Contradicted',
  not_supported: 'Not supported',
  partially_supported: 'Partly supported',
  unsourced: 'No source',
  unavailable: 'Could not be read',
  unsupported_language: 'Language not judged',
  uncheckable: 'Can’t be checked',
  supported: 'Supported',
};

/** Goes on from "could not be read:". */
export const REASONS: Record<UnavailableReason, string> = {
  dead: 'the page is gone',
  not_found: 'the page was not found',
  blocked: 'the site refuses automatic readers',
  timeout: 'the site did not answer in time',
  paywall: 'paywall',
  login: 'it asks for a login',
  script_shell: 'the page is empty without scripts',
  consent: 'only a consent notice came back',
  scanned_pdf: 'a scanned PDF without text',
  catalogue: 'a catalogue entry, not the work itself',
  truncated: 'only part of the page came back',
  no_url: 'the reference has no link',
  invalid_url: 'the link is not a web address',
  robots: 'the site asks robots to stay away',
  unsupported_type: 'a type of file that can not be read',
  unsupported_language: 'a language that can not be judged yet',
  refused_address: 'an address that is not on the public web',
  too_large: 'the page is too large',
  too_many_redirects: 'the link goes round in redirects',
  unreachable: 'the site could not be reached',
};

/** Goes on from "can't be checked:". */
export const UNCHECKABLE: Record<UncheckableReason, string> = {
  opinion: 'it is an opinion, which no page can settle',
  routine_calculation: 'it is a routine calculation, which needs no source',
  sky_is_blue: 'it is common knowledge, which needs no source',
};

/** What a detail is in which claim and page differ. */
export const MISMATCHES: Record<Mismatch['code'], string> = {
  number: 'Number',
  date: 'Date',
  unit: 'Unit',
  range: 'Range',
  name: 'Name',
  opposite: 'Opposite',
};

/** Goes on from "second opinion:". */
export const ANSWERS: Record<SecondOpinion['answer'], string> = {
  supported: 'supported',
  partially_supported: 'partly supported',
  not_supported: 'not supported',
  contradicted: 'contradicted',
  timeout: 'none, it did not answer in time',
  over_budget: 'none, the budget for it was spent',
  failed: 'none, it could not be asked',
  malformed: 'none, its answer could not be used',
};

export const DECISIONS: Record<Decision, string> = {
  accept: 'Accepted',
  reject: 'Rejected',
  cant_tell: 'Put off, can’t tell',
  skip: 'Skipped',
};

/** Why a person decided so. */
export const DECISION_REASONS: Record<DecisionReason, string> = {
  source_disagrees: 'Source disagrees',
  source_silent: 'Source silent',
  partly: 'Partly supported',
  source_unreadable: 'Source can’t be read',
  claim_reworded: 'Claim reworded',
};

/** How a closed finding ended. */
export const ENDINGS: Record<ClosedBecause, string> = {
  decided: 'Decided',
  fixed: 'Fixed',
  reverted: 'Reverted',
  reworded: 'Reworded',
  removed: 'Removed',
  page_deleted: 'Page deleted',
  superseded: 'Judged anew',
};

/** What accepting and rejecting a finding says of its citation. */
export const MEANINGS: Record<Verdict, { accept: string; reject: string }> = {
  contradicted: { accept: 'The source says otherwise', reject: 'The citation is fine' },
  not_supported: { accept: 'The citation fails', reject: 'The citation is fine' },
  partially_supported: { accept: 'The citation fails in part', reject: 'The citation is fine' },
  unsourced: { accept: 'It needs a source', reject: 'It needs none' },
  unavailable: { accept: 'The source can’t be read', reject: 'The source can be read' },
  unsupported_language: { accept: 'It can’t be judged', reject: 'It can be judged' },
  uncheckable: { accept: 'It needs no source', reject: 'It can be checked' },
  supported: { accept: 'The citation is fine', reject: 'The citation fails' },
};

/** The score is calibrated: it may be read as a chance. */
export function chance(score: number): string {
  const percent = Math.round(score * 100);
  if (percent < 1) return 'under 1 %';
  return percent > 99 ? 'over 99 %' : `${percent} %`;
}

export function likelihood(score: number): string {
  if (score < 0.15) return 'very unlikely to support it';
  if (score < 0.4) return 'unlikely to support it';
  if (score < 0.6) return 'may or may not support it';
  if (score < 0.85) return 'likely to support it';
  return 'very likely to support it';
}

/** A share in words that one can picture; '' of nothing. */
export function inTen(part: number, whole: number): string {
  if (whole === 0) return '';
  const tenths = Math.round((part / whole) * 10);
  if (tenths === 10) return part === whole ? 'all' : 'nearly all';
  return tenths === 0 ? (part === 0 ? 'none' : 'fewer than 1 in 10') : `${tenths} in 10`;
}
