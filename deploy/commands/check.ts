/**
 * `sidelight check`: every citation of one article, or of a wikitext file, from wikitext to verdict in this process, without
 * queues. In: a title or a file. Out: a table or one JSON object. Looks for no better sources: that takes a corpus.
 */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import pMap from 'p-map';
import { z } from 'zod';
import { type Extraction, extractClaims } from '../../bot/claims/extract.ts';
import type { RevisionHtml } from '../../bot/parsoid.ts';
import { createWiki, type Wiki } from '../../bot/wiki.ts';
import type { Citation, ClaimPair, Source } from '../../shared/citation.ts';
import type { Config } from '../../shared/config.ts';
import { RequestError } from '../../shared/errors.ts';
import { createReader, type SourceReader } from '../../workers/source/read.ts';
import { loadEncoder } from '../../workers/verification/encoder.ts';
import { type Judged, judge } from '../../workers/verification/judge.ts';
import { loadVerifier, type Verifier } from '../../workers/verification/verifier.ts';
import { withSampleWiki } from '../local/sample-wiki.ts';
import { print } from './print.ts';

export const CheckOptions = z
  .object({
    title: z.string().min(1).optional(),
    wiki: z.string().optional(),
    wikitext: z.string().optional(),
    extractOnly: z.boolean().default(false),
    json: z.boolean().default(false),
  })
  .refine(({ title, wikitext }) => title !== undefined || wikitext !== undefined, 'give a title or --wikitext FILE');
export type CheckOptions = z.infer<typeof CheckOptions>;

export async function check(config: Config, options: CheckOptions, signal: AbortSignal): Promise<void> {
  const article = await withSampleWiki(config, (settings) => readArticle(createWiki(settings.wiki), options, signal));
  const extraction = extractClaims(article.html, article.title);
  if (options.extractOnly) {
    print(options.json ? extractionJson(extraction) : extractionText(extraction));
    return;
  }
  const verifier = await loadVerifier(config.modelsDir, await loadEncoder(config.modelsDir));
  const checked = await checkPairs(extraction.pairs, createReader(config.sources), verifier, signal);
  print(
    options.json
      ? { ref_uses: extraction.refUses, findings: checked.map(findingJson) }
      : checked.map(findingText).join('\n\n'),
  );
}

interface Article {
  title: string;
  html: string;
}

async function readArticle(wiki: Wiki, options: CheckOptions, signal: AbortSignal): Promise<Article> {
  if (options.wikitext !== undefined) {
    const title =
      options.title ??
      basename(options.wikitext)
        .replace(/\.[^.]*$/, '')
        .replaceAll('_', ' ');
    const wikitext = await readFile(options.wikitext, 'utf8').catch(() => null);
    if (wikitext === null) throw new RequestError('no_such_file', `--wikitext: ${options.wikitext} can't be read`);
    return toArticle(title, await wiki.transform(title, wikitext, signal));
  }
  const title = options.title ?? '';
  const latest = await wiki.latestRevision(title, signal);
  if (latest === null) throw new RequestError('no_such_page', `${title}: there is no such page`);
  return toArticle(latest.page.title, await wiki.parsoidHtml(latest.revision, signal));
}

function toArticle(title: string, rendered: RevisionHtml): Article {
  if (rendered.kind === 'html') return { title, html: rendered.html };
  throw new RequestError(rendered.kind, `${title}: the wiki gives no text (${rendered.kind.replaceAll('_', ' ')})`);
}

interface Checked {
  pair: ClaimPair;
  judged: Judged;
}

/** Reads each cited page once, several at a time, then judges the claims in their order. */
async function checkPairs(
  pairs: ClaimPair[],
  reader: SourceReader,
  verifier: Verifier,
  signal: AbortSignal,
): Promise<Checked[]> {
  const citations = new Map(pairs.flatMap((pair) => pair.citations.map((citation) => [citation.hash, citation])));
  const read = async (citation: Citation): Promise<[string, Source]> => [
    citation.hash,
    await reader.read(citation, signal),
  ];
  const sources = new Map(await pMap(citations.values(), read, { concurrency: 8, signal }));
  const checked: Checked[] = [];
  for (const pair of pairs) {
    const cited = pair.citations.map((citation) => sources.get(citation.hash) ?? null);
    checked.push({ pair, judged: await judge(pair, cited, verifier) });
  }
  return checked;
}

function extractionJson(extraction: Extraction) {
  const { refUses, citations, unpaired, pairs } = extraction;
  return { ref_uses: refUses, citations, unpaired: unpaired.length, unpaired_refs: unpaired, pairs };
}

function extractionText({ refUses, citations, unpaired, pairs }: Extraction): string {
  const claims = pairs.map(({ claim, citations }) => `• ${claim.text}\n    ${citations.map(nameOf).join('\n    ')}`);
  return `${refUses} uses of references: ${citations} behind a claim, ${unpaired.length} not\n\n${claims.join('\n')}`;
}

function findingJson({ pair, judged }: Checked) {
  return { claim: pair.claim, ...judged };
}

function findingText({ pair, judged }: Checked): string {
  const score = judged.score === null ? '' : ` ${judged.score.toFixed(2)}`;
  const evidence = judged.evidence === null ? '' : `\n    “${judged.evidence.quote}”`;
  const reason = judged.reason === null ? '' : ` (${judged.reason})`;
  return `${judged.verdict}${score}${reason}\n  ${pair.claim.text}\n    ${pair.citations.map(nameOf).join('\n    ')}${evidence}`;
}

function nameOf(citation: Citation): string {
  return citation.url ?? citation.text;
}
