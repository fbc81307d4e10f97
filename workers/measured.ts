/** The parts of the workers, measured: the same verbs, told to metrics and traces. Wrapped where parts are opened; who uses them knows nothing of it. */
import { codeOf } from '../shared/errors.ts';
import { count, observe, timed } from '../shared/metrics.ts';
import type { Handler } from '../shared/pipeline.ts';
import { span } from '../shared/tracing.ts';
import { parseUrl } from '../shared/url.ts';
import type { PassageEncoder } from './retrieval/dense/encode.ts';
import type { Fetch } from './source/fetch.ts';
import { countHost } from './source/fetched-hosts.ts';
import type { Judgements } from './verification/judgements.ts';
import type { SecondOpinions } from './verification/second-opinion/second-opinions.ts';
import type { Models } from './verification/verifier.ts';

type Model = 'cross_encoder' | 'bi_encoder' | 'encoder' | 'second_opinion';

function modelRun<T>(model: Model, items: number, work: () => Promise<T>): Promise<T> {
  return span('model', { model, items }, () => timed('sidelight_model_seconds', { model }, work));
}

export function measureModels({ crossEncoder, encoder }: Models): Models {
  return {
    crossEncoder: {
      ...crossEncoder,
      score: (pairs) => modelRun('cross_encoder', pairs.length, () => crossEncoder.score(pairs)),
    },
    encoder: { ...encoder, encode: (texts) => modelRun('encoder', texts.length, () => encoder.encode(texts)) },
  };
}

export function measureEncoder(encoder: PassageEncoder): PassageEncoder {
  return { ...encoder, encode: (texts) => modelRun('bi_encoder', texts.length, () => encoder.encode(texts)) };
}

export function measureOpinions(opinions: SecondOpinions): SecondOpinions {
  return {
    ask: (claim, pages, signal) => modelRun('second_opinion', 1, () => opinions.ask(claim, pages, signal)),
  };
}

/** How many judgements are known already. */
export function countJudgements(judgements: Judgements): Judgements {
  return {
    ...judgements,
    get(key) {
      const known = judgements.get(key);
      count('sidelight_cache_lookups_total', { cache: 'judgements', outcome: known === null ? 'miss' : 'hit' });
      return known;
    },
  };
}

/** What became of each citation. */
export function countSources(handler: Handler<'sources'>): Handler<'sources'> {
  return async (input, context) => {
    const outcome = await handler(input, context);
    count('sidelight_sources_total', { outcome: outcome.answer.reason ?? 'stored' });
    return outcome;
  };
}

/** Each request with its redirects, the wait for the host's turn included. Of an address only the host is told. */
export function measureFetch(fetch: Fetch): Fetch {
  return async (url, options) => {
    const host = parseUrl(url)?.host ?? 'none';
    const begun = performance.now();
    const ended = (outcome: string) =>
      observe('sidelight_fetch_seconds', { outcome }, (performance.now() - begun) / 1000);
    countHost(host);
    try {
      const answer = await span('fetch', { host }, () => fetch(url, options));
      ended(answer.kind === 'response' ? `${Math.floor(answer.status / 100)}xx` : answer.reason);
      return answer;
    } catch (error) {
      ended(codeOf(error));
      throw error;
    }
  };
}
