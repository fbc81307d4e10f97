/** What judges a claim outside the queues: the verifier, and a second opinion where one is configured. In: Config. */
import type { Config } from '../../shared/config.ts';
import { createLogger } from '../../shared/logger.ts';
import type { Judges } from '../../workers/verification/judge.ts';
import { createProcessBudget } from '../../workers/verification/second-opinion/budget.ts';
import { createSecondOpinions } from '../../workers/verification/second-opinion/second-opinions.ts';
import { loadVerifier } from '../../workers/verification/verifier.ts';

/** A command needs no Redis: its budget of second opinions begins anew. */
export async function loadJudges({ modelsDir, secondOpinion: settings, logLevel }: Config): Promise<Judges> {
  const verifier = await loadVerifier(modelsDir);
  if (settings === null) return { verifier, secondOpinion: null };
  const log = createLogger(logLevel, 'second-opinion');
  const opinions = createSecondOpinions(settings, { budget: createProcessBudget(settings), log });
  return { verifier, secondOpinion: { opinions, margin: settings.margin } };
}
