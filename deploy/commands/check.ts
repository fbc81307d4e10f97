/**
 * `sidelight check`: every citation of one article, or of a wikitext file, from wikitext to verdict in this process, without
 * queues. In: a title or a file. Out: a table or one JSON object. Looks for no better sources: that takes a corpus.
 */
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import pMap from 'p-map';
import { createExtract, type Extraction } from '../../bot/claims/extract.ts';
import type { RevisionHtml } from '../../bot/parsoid.ts';
import { openWikiVocabulary } from '../../bot/vocabulary/wiki-vocabulary.ts';
import { createWiki, type Wiki } from '../../bot/wiki.ts';
import type { Citation, ClaimPair, Source } from '../../shared/citation.ts';
import type { Config } from '../../shared/config.ts';
import { RequestError } from '../../shared/errors.ts';
import { createLogger } from '../../shared/logger.ts';
import type { SourceReader } from '../../workers/source/read.ts';
import { type Judged, type Judges, judge } from '../../workers/verification/judge.ts';
import { readingSampleWeb, withSampleWiki } from '../local/sample-wiki.ts';
import { loadJudges } from './judges.ts';
import { print } from './print.ts';
import { withReader } from './reader.ts';

export interface CheckOptions {
  /** With a file: the title that it is read under. */
  title: string;
  /** A file. */
  wikitext?: string;
  extractOnly: boolean;
  /** Sources as they were fetched before. */
  offline: boolean;
  json: boolean;
}

export async function check(config: Config, options: CheckOptions, signal: AbortSignal): Promise<void> {
  const asked = await readRequest(options);
  await withSampleWiki(asked.wikitext === null ? readingSampleWeb(config) : config, (settings) =>
    checkArticle(settings, asked, options, signal),
  );
}

async function checkArticle(config: Config, asked: Request, options: CheckOptions, signal: AbortSignal): Promise<void> {
  const article = await readArticle(createWiki(config.wiki), asked, signal);
  const vocabulary = openWikiVocabulary(
    config,
    createLogger(config.logLevel === 'info' ? 'warn' : config.logLevel, 'check'),
  );
  const extraction = await createExtract({ vocabulary })(article.html, article.title, signal);
  if (options.extractOnly) {
    print(options.json ? extractionJson(extraction) : extractionText(extraction));
    return;
  }
  const judges = await loadJudges(config);
  const checked = await withReader(config, options.offline, (reader) =>
    checkPairs(extraction.pairs, reader, judges, signal),
  );
  print(
    options.json
      ? { ref_uses: extraction.refUses, findings: checked.map(findingJson) }
      : checked.map(findingText).join('\n\n') || NOTHING_FOUND,
  );
}

interface Article {
  title: string;
  html: string;
}

interface Request {
  title: string;
  /** Null: the wiki's newest. */
  wikitext: string | null;
}

async function readRequest({ title, wikitext: file }: CheckOptions): Promise<Request> {
  const name = title.trim() || titleOfFile(file ?? '');
  if (name === '') throw new RequestError('nothing_to_check', 'give the title of an article, or --wikitext FILE');
  if (file === undefined) return { title: name, wikitext: null };
  const wikitext = await readFile(file, 'utf8').catch(() => null);
  if (wikitext === null) throw new RequestError('no_such_file', `--wikitext: ${file} can't be read`);
  return { title: name, wikitext };
}

async function readArticle(wiki: Wiki, { title, wikitext }: Request, signal: AbortSignal): Promise<Article> {
  if (wikitext !== null) return toArticle(title, await wiki.transform(title, wikitext, signal));
  const latest = await wiki.latestRevision(title, signal);
  if (latest === null) throw new RequestError('no_such_page', `${title}: there is no such page`);
  return toArticle(latest.page.title, await wiki.parsoidHtml(latest.revision, signal));
}

function titleOfFile(file: string): string {
  return basename(file, extname(file)).replaceAll('_', ' ');
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
  judges: Judges,
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
    signal.throwIfAborted();
    const cited = pair.citations.map((citation) => sources.get(citation.hash) ?? null);
    checked.push({ pair, judged: await judge(pair, cited, judges, signal) });
  }
  return checked;
}

function extractionJson(extraction: Extraction) {
  const { refUses, citations, links, unpaired, pairs } = extraction;
  return { ref_uses: refUses, citations, links, unpaired: unpaired.length, unpaired_refs: unpaired, pairs };
}

function extractionText({ refUses, citations, unpaired, pairs }: Extraction): string {
  if (refUses === 0 && pairs.length === 0) return NOTHING_FOUND;
  const claims = pairs.map(({ claim, citations }) => `• ${claim.text}\n    ${citations.map(nameOf).join('\n    ')}`);
  return `${refUses} uses of references: ${citations} behind a claim, ${unpaired.length} not\n\n${claims.join('\n')}`;
}

function findingJson({ pair, judged }: Checked) {
  return { claim: pair.claim, ...judged };
}

function findingText({ pair, judged }: Checked): string {
  const score = judged.score === null ? '' : ` ${judged.score.toFixed(2)}`;
  const evidence = judged.evidence === null ? '' : `\n    “${judged.evidence.quote}”`;
  const why = judged.reason ?? judged.uncheckable;
  const reason = why === null ? '' : ` (${why})`;
  return `${judged.verdict}${score}${reason}\n  ${pair.claim.text}\n    ${pair.citations.map(nameOf).join('\n    ')}${evidence}`;
}

function nameOf(citation: Citation): string {
  return citation.url ?? citation.text;
}

const NOTHING_FOUND = 'no claim has a citation or asks for one';
