/**
 * The current generation, as it was last known where its catalogue is away for a while: a claim is judged and sent to review all the
 * same, and what of its search is not answered in time is said to be missing.
 */
import { TransientError } from '../../../shared/errors.ts';
import type { Logger } from '../../../shared/logger.ts';
import type { Generations } from './generations.ts';
import type { Manifest } from './manifest.ts';

/** `current` gives null, "not searched", where nothing was ever known. Throws what is no TransientError. */
export function rememberCurrent(generations: Pick<Generations, 'current'>, log: Logger): Pick<Generations, 'current'> {
  let known: Manifest | null = null;
  return {
    async current() {
      try {
        known = await generations.current();
      } catch (error) {
        if (!(error instanceof TransientError)) throw error;
        log.warn(
          { err: error, generation: known?.generation },
          'the corpus is away: its last known generation is asked',
        );
      }
      return known;
    },
  };
}
