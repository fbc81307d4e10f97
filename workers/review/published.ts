/** How often a citation with a score really failed, as it was measured when the model was trained. Only figures. */
import type { Band } from './confirmed.ts';

/** By version of the model: scores of different versions don't compare. */
export const PUBLISHED: Readonly<Record<string, readonly Band[]>> = {
  /**
   * The 456 cross-validated pairs of MODEL_CARD.md, "Thresholds": differences between the points of its curve as
   * training/logs/verifier.json has it (`precision_curve`), and beyond the last point the rest of the 456, of which 292 failed.
   */
  'verifier-2': [
    { from: 0, below: 0.1, decided: 77, confirmed: 72 },
    { from: 0.1, below: 0.2, decided: 55, confirmed: 47 },
    { from: 0.2, below: 0.3, decided: 75, confirmed: 59 },
    { from: 0.3, below: 0.4, decided: 55, confirmed: 37 },
    { from: 0.4, below: 0.5, decided: 63, confirmed: 38 },
    { from: 0.5, below: 0.6, decided: 52, confirmed: 17 },
    { from: 0.6, below: 0.7, decided: 42, confirmed: 14 },
    { from: 0.7, below: 1, decided: 37, confirmed: 8 },
  ],
};
