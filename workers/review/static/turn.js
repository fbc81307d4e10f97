/**
 * A person's turn at a finding: what may be decided when, and what to say. Pure: a turn and what happened give the next turn. A turn is
 * `{ step, why }`: `opening` (just drawn: a key pressed twice must not decide it), `ready`, `saving`, `failed` (not known to be saved:
 * the same may be sent again), `refused` (the service answered no), `over` (the time for it ran out).
 */
export const OPENING = { step: 'opening', why: '' };

/** @param event `{ type: 'opened' | 'decided' | 'saved' | 'unreachable' | 'refused' | 'expired', … }` */
export function turnAfter(turn, event) {
  switch (event.type) {
    case 'opened':
      return turn.step === 'opening' ? { step: 'ready', why: '' } : turn;
    case 'decided':
      return maySend(turn) ? { step: 'saving', why: '' } : turn;
    case 'unreachable':
      return turn.step === 'saving' ? { step: 'failed', why: UNREACHABLE } : turn;
    case 'refused':
      return turn.step === 'saving' ? { step: 'refused', why: event.message } : turn;
    // what is being sent is judged by the service, which has the clock
    case 'expired':
      return turn.step === 'saving' || turn.step === 'failed' ? turn : { step: 'over', why: event.message ?? EXPIRED };
    default:
      return turn;
  }
}

export function maySend({ step }) {
  return step === 'ready' || step === 'failed';
}

/** Why a decision can't be sent with this reason; '' where it can. `fits`: decisions that the reason goes with, '' for none chosen. */
export function whyUnfit({ decision, label, reason, fits }) {
  if (reason === '' || decision === 'skip' || fits.split(' ').includes(decision)) return '';
  return `“${reason}” does not go with “${label}”. Choose another reason, or none (0).`;
}

/** When the service is to be asked for more time: in use, and half of it is gone. */
export function isToRenew({ lasts, left, usedSince }) {
  return usedSince && left < lasts / 2;
}

const UNREACHABLE =
  'The service did not answer. Nothing here is lost: your decision, reason and note are kept. It is saved once, however often you send it.';
const EXPIRED = 'Your time for this finding has run out: somebody else may look at it now.';
