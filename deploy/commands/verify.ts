/** `sidelight verify`: one claim against one page or file. Out: verdict, score and evidence. */
import { bareCitation } from '../../shared/bare-citation.ts';
import { type Citation, Claim, type Source } from '../../shared/citation.ts';
import type { Config } from '../../shared/config.ts';
import { RequestError } from '../../shared/errors.ts';
import { hashClaim } from '../../shared/hash.ts';
import { parseHttpUrl } from '../../shared/url.ts';
import { readFileSource } from '../../workers/source/read.ts';
import { type Judged, judge } from '../../workers/verification/judge.ts';
import { loadJudges } from './judges.ts';
import { print } from './print.ts';
import { withReader } from './reader.ts';

export interface VerifyOptions {
  claim: string;
  /** URL or file. */
  source: string;
  /** The page as it was fetched before. */
  offline: boolean;
  json: boolean;
}

export async function verify(config: Config, options: VerifyOptions, signal: AbortSignal): Promise<void> {
  const text = options.claim.trim();
  if (!/[\p{L}\p{N}]/u.test(text))
    throw new RequestError('empty_claim', '--claim: is empty; give the sentence to check');
  if (!Claim.shape.text.safeParse(text).success)
    throw new RequestError('claim_too_long', `--claim: is no sentence (${text.length} characters)`);
  const citation = bareCitation(parseHttpUrl(options.source) === null ? null : options.source, options.source);
  const source = await readSource(config, options, citation, signal);
  const judges = await loadJudges(config);
  const judged = await judge({ claim: claimOf(text), citations: [citation] }, [source], judges, signal);
  print(options.json ? { claim: text, source: options.source, ...judged } : describe(text, judged));
}

async function readSource(
  config: Config,
  { source, offline }: VerifyOptions,
  citation: Citation,
  signal: AbortSignal,
): Promise<Source> {
  if (parseHttpUrl(source) !== null) return withReader(config, offline, (reader) => reader.read(citation, signal));
  return readFileSource(source).catch((error: NodeJS.ErrnoException) => {
    if (error.code === undefined) throw error; // not the file system's: a bug
    throw new RequestError(
      'no_such_source',
      `--source: ${source} is no http(s) URL and no file to read (${error.code})`,
    );
  });
}

function claimOf(text: string): Claim {
  return {
    hash: hashClaim(text),
    text,
    markerOffset: text.length,
    context: '',
    section: [],
    title: '',
    kind: 'sentence',
    trigger: null,
  };
}

function describe(text: string, judged: Judged): string {
  const { verdict, score, evidence, missing, mismatches, secondOpinion } = judged;
  const why = judged.reason ?? judged.uncheckable;
  return [
    [verdict, score?.toFixed(2), why && `(${why})`].filter(Boolean).join(' '),
    evidence && `“${evidence.quote}”`,
    ...missing.map(({ start, end }) => `nothing supports: “${text.slice(start, end)}”`),
    ...mismatches.map(
      ({ code, claim, page }) =>
        `${code}: the claim says “${text.slice(claim.start, claim.end)}”, the page “${page.quote}”`,
    ),
    secondOpinion && `second opinion: ${secondOpinion.answer} (${secondOpinion.model})`,
  ]
    .filter(Boolean)
    .join('\n');
}
