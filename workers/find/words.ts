/** What the verdict of a search for evidence means, in the words of the terminal and of the page. */
import type { FoundVerdict } from '../../shared/found.ts';

export const FOUND_VERDICTS: Record<FoundVerdict, { name: string; meaning: string }> = {
  supported: { name: 'Supported', meaning: 'pages support it, and none says otherwise.' },
  refuted: { name: 'Refuted', meaning: 'pages say otherwise, and none supports it.' },
  disputed: { name: 'Disputed', meaning: 'some pages support it, others say otherwise.' },
  not_enough: { name: 'Not enough evidence', meaning: 'no page was found that supports it or says otherwise.' },
  not_searched: { name: 'Not searched', meaning: 'no part of the corpus answered, so nothing is known.' },
  unsupported_language: {
    name: 'Not searched',
    meaning: 'the claim is in a language in which the engine was not measured.',
  },
};
