/**
 * Parsoid HTML → claim–citation pairs. In: the page as HTML with data-mw
 * (https://www.mediawiki.org/wiki/Specs/HTML), its title, what its wiki calls its templates. Out: an Extraction. Judges nothing,
 * never throws.
 */
import type { Citation, Claim } from '../../shared/citation.ts';
import { hashClaim } from '../../shared/hash.ts';
import { BUNDLED } from '../vocabulary/bundled.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { WikiVocabulary } from '../vocabulary/wiki-vocabulary.ts';
import type { Block, CitationMark, Mark } from './block.ts';
import { readBlocks } from './blocks.ts';
import { type CitationContext, readCitation } from './citations.ts';
import { type Cut, createCutter } from './claim.ts';
import { type Element, languageOf, parseDocument } from './document.ts';
import type { Extraction, UnpairedReason } from './extraction.ts';
import { citationTemplates, indexReferences } from './references.ts';

export { Extraction, UnpairedReason } from './extraction.ts';

/** `title`: of the article. Pairs come in the order of their blocks; markers that stand together are one pair. */
export function extractClaims(html: string, title: string, vocabulary: Vocabulary = BUNDLED): Extraction {
  return extractFrom(parseDocument(html), title, vocabulary);
}

/** The same with the vocabulary of the page's wiki, which is asked for templates that it does not know yet. */
export function createExtract({ vocabulary }: { vocabulary: WikiVocabulary }) {
  return async (html: string, title: string, signal?: AbortSignal): Promise<Extraction> => {
    const document = parseDocument(html);
    return extractFrom(document, title, await vocabulary.for(citationTemplates(document), signal));
  };
}

/** For a thread, which has nobody to ask: what is read with what is known, and the templates that more may be known of. */
export function extractKnown(html: string, title: string, vocabulary: Vocabulary) {
  const document = parseDocument(html);
  return { extraction: extractFrom(document, title, vocabulary), templates: citationTemplates(document) };
}

function extractFrom(document: Element, title: string, vocabulary: Vocabulary): Extraction {
  const references = indexReferences(document, vocabulary);
  const page = { title: title.slice(0, 512), language: languageOf(document), references, vocabulary };
  const { blocks, unrendered } = readBlocks(document, vocabulary);
  const extraction: Extraction = { refUses: 0, citations: 0, links: 0, pairs: [], unpaired: [] };
  for (const block of blocks) extractBlock(block, page, extraction);
  for (const template of unrendered) leaveUnpaired(extraction, `Template:${template}`, 'missing_template');
  return extraction;
}

interface PageContext extends CitationContext {
  title: string;
}

function extractBlock(block: Block, page: PageContext, extraction: Extraction): void {
  const cutter = createCutter(block, page.language);
  let from = 0; // notes do not part a sentence: only where citations stand does the next claim begin
  for (const group of groupMarks(block)) {
    const first = group[0];
    if (first === undefined) continue;
    const cut = block.exclusion === null ? cutter.cut(first.offset, from) : null;
    const why = block.exclusion ?? (cut === null ? 'no_claim_text' : null);
    const citations = readGroup(group, page, why, extraction);
    const trigger = triggerOf(group, citations);
    if (cut === null || (citations.length === 0 && trigger === null)) continue;
    extraction.pairs.push({ claim: toClaim(cut, block, page.title, trigger), citations });
    from = group.at(-1)?.offset ?? from;
  }
}

/** Markers with nothing but punctuation between them stand together. */
function groupMarks(block: Block): Mark[][] {
  const groups: Mark[][] = [];
  let end = 0;
  for (const mark of block.marks) {
    const isAdjacent = groups.length > 0 && /^[\s\p{P}]*$/u.test(block.text.slice(end, mark.offset));
    if (isAdjacent) groups.at(-1)?.push(mark);
    else groups.push([mark]);
    end = mark.offset;
  }
  return groups;
}

/** The citations of a group, each once; references that have none, or all of them if there is a reason, are noted as unpaired. */
function readGroup(group: Mark[], page: PageContext, why: UnpairedReason | null, extraction: Extraction): Citation[] {
  const citations = new Map<string, Citation>();
  for (const mark of group) {
    if (mark.kind === 'trigger') continue;
    const read = why ?? readCitation(mark, page);
    if (typeof read !== 'string') citations.set(read.hash, withPages(read, citations.get(read.hash)));
    count(mark, typeof read === 'string' ? read : null, extraction);
  }
  return [...citations.values()];
}

/** Two uses of one source behind a claim: what either names of its pages. */
function withPages(citation: Citation, before: Citation | undefined): Citation {
  if (before === undefined) return citation;
  if (citation.pages === undefined || before.pages?.split(', ').includes(citation.pages) === true) return before;
  const pages = before.pages === undefined ? citation.pages : `${before.pages}, ${citation.pages}`;
  return { ...before, pages: pages.slice(0, 200) };
}

/** `why`: it stands behind no claim. Of bare links only those in a pair count. */
function count(mark: CitationMark, why: UnpairedReason | null, extraction: Extraction): void {
  if (mark.kind === 'link') {
    if (why === null) extraction.links += 1;
  } else if (why !== null) leaveUnpaired(extraction, mark.element.getAttribute('id') ?? '', why);
  else {
    extraction.refUses += 1;
    extraction.citations += 1;
  }
}

function leaveUnpaired(extraction: Extraction, ref: string, reason: UnpairedReason): void {
  extraction.refUses += 1;
  extraction.unpaired.push({ ref, reason });
}

/** A claim that has a citation is not in want of one, whatever tag stands beside it. */
function triggerOf(group: Mark[], citations: Citation[]): Claim['trigger'] {
  const triggers = group.flatMap((mark) => (mark.kind === 'trigger' ? [mark.trigger] : []));
  if (triggers.includes('failed_verification')) return 'failed_verification';
  return triggers.length > 0 && citations.length === 0 ? 'citation_needed' : null;
}

function toClaim(cut: Cut, block: Block, title: string, trigger: Claim['trigger']): Claim {
  const section = block.section.map((heading) => heading.slice(0, 500));
  return { hash: hashClaim(cut.text), ...cut, section, title, kind: block.kind, trigger };
}
