export interface Turn {
  step: 'opening' | 'ready' | 'saving' | 'failed' | 'refused' | 'over';
  why: string;
}

export type TurnEvent =
  | { type: 'opened' | 'decided' | 'unreachable' }
  | { type: 'refused'; message: string }
  | { type: 'expired'; message?: string };

export const OPENING: Turn;
export function turnAfter(turn: Turn, event: TurnEvent): Turn;
export function maySend(turn: Turn): boolean;
export function whyUnfit(choice: { decision: string; label: string; reason: string; fits: string }): string;
export function isToRenew(lease: { lasts: number; left: number; usedSince: boolean }): boolean;
