/** The settings → the expansion of the sparse query that they ask for. */
import type { Config } from '../../../shared/config.ts';
import type { Logger } from '../../../shared/logger.ts';
import { createProcessBudget } from '../../verification/second-opinion/budget.ts';
import { createEndpointExpander } from './endpoint.ts';
import { type Expander, noExpansion } from './expander.ts';
import { createGeneratedExpander } from './generate.ts';
import { createFeedbackExpander } from './rm3.ts';
import { loadTitleWriter } from './title-writer.ts';

/** Throws RefuseToStart where a model is asked for that is missing or damaged. */
export async function createExpander(config: Pick<Config, 'expansion' | 'modelsDir'>, log: Logger): Promise<Expander> {
  const { expansion } = config;
  switch (expansion.kind) {
    case 'none':
      return noExpansion;
    case 'rm3':
      return createFeedbackExpander();
    case 'generated':
      return createGeneratedExpander(await loadTitleWriter(config.modelsDir), log);
    case 'endpoint':
      return createEndpointExpander(expansion, { budget: createProcessBudget(expansion), log });
  }
}
