/** `sidelight find`: a free claim → what the corpus has for and against it. Out: three columns, or one JSON object (found.ts). */
import { Claim } from '../../shared/citation.ts';
import type { Config } from '../../shared/config.ts';
import { RequestError } from '../../shared/errors.ts';
import type { Found } from '../../shared/found.ts';
import { createLogger } from '../../shared/logger.ts';
import { find } from '../../workers/find/find.ts';
import { openRetrievers } from '../../workers/find/retrievers.ts';
import { createParts, exclusionsOf, type Parts } from '../../workers/parts.ts';
import { unknownGeneration } from '../../workers/retrieval/corpus/generations.ts';
import type { ClaimText } from '../../workers/verification/claim.ts';
import { describeFound } from './find-columns.ts';
import { print } from './print.ts';

export interface FindOptions {
  claim: string;
  /** Of the article that the claim stands in: it tells which of several things of one name is meant. */
  title?: string;
  /** Default: the one that searches ask now. */
  generation?: string;
  json: boolean;
}

/** Throws RequestError for a claim that is none, or where there is no corpus to search. */
export async function findEvidence(config: Config, options: FindOptions, signal: AbortSignal): Promise<void> {
  const claim = toClaim(options);
  const parts = createParts(config, createLogger(config.logLevel, 'find'));
  try {
    const found = await search(claim, await chooseGeneration(parts, options.generation), parts, signal);
    print(options.json ? found : describeFound(found, process.stdout.columns ?? WIDTH));
  } finally {
    await parts.close();
  }
}

function toClaim({ claim, title = '' }: FindOptions): ClaimText {
  const text = claim.trim();
  if (!/[\p{L}\p{N}]/u.test(text)) throw new RequestError('empty_claim', '--claim: is empty; give one sentence');
  const claimed = Claim.pick({ text: true, title: true }).safeParse({ text, title: title.trim() });
  if (claimed.success) return { ...claimed.data, section: [], context: '' };
  const words = text.split(/\s+/).length;
  throw new RequestError('claim_too_long', `--claim: is no sentence (${words} words); give one claim at a time`);
}

async function chooseGeneration({ catalogue }: Parts, name: string | undefined): Promise<string> {
  if (name !== undefined) {
    if ((await catalogue().get(name)) === null) throw unknownGeneration(name);
    return name;
  }
  const current = await catalogue().current();
  if (current !== null) return current.generation;
  throw new RequestError(
    'no_corpus',
    'not searched: there is no corpus yet; build one with `sidelight corpus build NAME --input FILE`, or let `npm start` read what articles cite',
  );
}

async function search(claim: ClaimText, name: string, parts: Parts, signal: AbortSignal): Promise<Found> {
  const generation = await parts.generations().open(name);
  const retrievers = openRetrievers(generation, { encoder: await parts.encoder(), expander: await parts.expander() });
  const { corpus } = generation;
  const asked = { generation: name, wiki: parts.config.wiki.id, exclusions: await exclusionsOf(parts)() };
  return find(claim, { retrievers, corpus, ranker: await parts.ranker(), ...asked }, signal);
}

/** Where the output is no terminal. */
const WIDTH = 80;
