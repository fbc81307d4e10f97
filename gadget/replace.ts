/**
 * "Use this source": wikitext in, wikitext out, with the suggested source in place of the citation behind one claim. The
 * citation is found by its content and by the words around it, never by number. Saves nothing.
 */
import type { Citation, Claim } from '../shared/citation.ts';
import { canonicalUrl, parseHttpUrl } from '../shared/url.ts';
import { readsRow } from './row.ts';
import {
  type Marker,
  type References,
  readAddresses,
  readCells,
  readReferences,
  readValues,
  readWords,
} from './wikitext.ts';
import { endsAs, firstWords, words } from './words.ts';

export interface Replacement {
  claim: Pick<Claim, 'text' | 'markerOffset'>;
  /** The citation that goes; null: the claim has none, and its {{citation needed}} goes. */
  cited: Pick<Citation, 'url' | 'name' | 'form' | 'text'> | null;
  source: { url: string; title: string };
  /** Day of the edit, `2026-11-20`. */
  accessDate: string;
}

export type Replaced = { kind: 'replaced'; wikitext: string } | { kind: 'not_found' };

/** `not_found` also where two places fit equally: a wrong citation is never replaced. */
export function replaceCitation(wikitext: string, replacement: Replacement): Replaced {
  const references = readReferences(wikitext);
  const candidates = citing(references, replacement.cited);
  const marker = behindClaim(wikitext, candidates, replacement.claim) ?? inRow(wikitext, candidates, replacement.claim);
  const reference = referTo(replacement);
  if (marker === null || reference === null) return { kind: 'not_found' };
  const edits = [
    { start: marker.start, end: endWithTags(wikitext, marker, references), text: reference },
    ...keepDefined(wikitext, marker, references),
  ];
  return { kind: 'replaced', wikitext: edits.sort((a, b) => b.start - a.start).reduce(apply, wikitext) };
}

interface Edit {
  start: number;
  end: number;
  text: string;
}

function apply(text: string, edit: Edit): string {
  return text.slice(0, edit.start) + edit.text + text.slice(edit.end);
}

/** Uses of the citation: by its name or address if any has it, else those whose values are most like its text. */
function citing({ uses, listed }: References, cited: Replacement['cited']): Marker[] {
  if (cited === null) return uses.filter(({ kind }) => kind === 'tag');
  const references = uses.filter(({ kind }) => kind !== 'tag');
  const defined = references.concat(listed).filter(({ name, content }) => name !== null && content !== '');
  const alike = references.map((use) => {
    const content = use.content || (defined.filter(({ name }) => name === use.name)[0]?.content ?? '');
    return { use, likeness: likenessOf(use, content, cited) };
  });
  const best = Math.max(...alike.map(({ likeness }) => likeness), LEAST_ALIKE);
  return alike.filter(({ likeness }) => likeness === best).map(({ use }) => use);
}

/** 1: the same; less: how many words its values and the citation's text share (Dice), which says dates otherwise. */
function likenessOf(use: Marker, content: string, cited: NonNullable<Replacement['cited']>): number {
  if (cited.name !== null && use.name === cited.name) return 1;
  if (cited.url !== null && cited.form === 'ref' && holdsUrl(content, cited.url)) return 1;
  const shown = words(cited.text);
  const values = readValues(content);
  const shared = values.filter((word) => shown.indexOf(word) >= 0).length;
  return values.length === 0 ? 0 : (2 * shared) / (values.length + shown.length);
}

function holdsUrl(content: string, url: string): boolean {
  const wanted = canonicalUrl(url);
  return readAddresses(content).some((found) => canonicalUrl(found) === wanted);
}

/** The candidate at which the wikitext reads as the claim does, as literally as any. */
function behindClaim(wikitext: string, candidates: readonly Marker[], claim: Replacement['claim']): Marker | null {
  const behind = words(claim.text.slice(claim.markerOffset)).length;
  const read = candidates.map((marker) => {
    const before = readWords(wikitext.slice(Math.max(0, marker.start - LOOK_AROUND), marker.start));
    const after = readWords(wikitext.slice(marker.end, marker.end + LOOK_AROUND));
    return { marker, share: endsAs(before.concat(firstWords(after, behind)), claim.text) };
  });
  const best = Math.max(...read.map(({ share }) => share), LEAST_LITERAL);
  return read.filter(({ share }) => share === best)[0]?.marker ?? null;
}

/** The only candidate in a row of a table or infobox that the claim reads out. */
function inRow(wikitext: string, candidates: readonly Marker[], claim: Replacement['claim']): Marker | null {
  const found = candidates.filter(({ start }) => readsRow(claim, readCells(wikitext.slice(0, start))));
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** {{failed verification}} and the page of the source, right behind the old citation, go with it. */
function endWithTags(wikitext: string, marker: Marker, { uses }: References): number {
  const page = /^\s*\{\{\s*rp\s*\|[^{}]*\}\}/i.exec(wikitext.slice(marker.end));
  const end = marker.end + (page?.[0].length ?? 0);
  const tag = uses.filter(({ kind, start }) => kind === 'tag' && start >= end)[0];
  const isNext = marker.kind !== 'tag' && tag !== undefined && wikitext.slice(end, tag.start).trim() === '';
  return isNext ? tag.end : end;
}

/** A reference that others reuse moves to its next use, so that these keep it; one in the list that no one uses goes. */
function keepDefined(wikitext: string, marker: Marker, { uses, listed }: References): Edit[] {
  if (marker.name === null) return [];
  const isSame = (other: Marker) => other !== marker && other.name === marker.name;
  const others = uses.filter(isSame);
  if (marker.content === '') {
    return others.length > 0 ? [] : listed.filter(isSame).map(({ start, end }) => ({ start, end, text: '' }));
  }
  const heir = others.concat(listed.filter(isSame)).some(({ content }) => content !== '') ? undefined : others[0];
  return heir === undefined
    ? []
    : [{ start: heir.start, end: heir.end, text: wikitext.slice(marker.start, marker.end) }];
}

/** null for what is no address on the web. */
function referTo({ source, accessDate }: Replacement): string | null {
  const url = parseHttpUrl(source.url);
  if (url === null) return null;
  const address = escapeMarkup(url.href, (code) => `%${code}`);
  const title = escapeMarkup(source.title.replace(/[\s\p{Cc}]+/gu, ' ').trim(), (code) => `&#x${code};`);
  return `<ref>{{cite web |url=${address} |title=${title} |access-date=${accessDate}}}</ref>`;
}

/** What would end the parameter, sign, emphasise or switch something on. `write`: a character by its code, in hexadecimal. */
function escapeMarkup(text: string, write: (code: string) => string): string {
  return text.replace(/[|{}[\]<>~]|'{2,}|_{2,}/g, (markup) =>
    markup
      .split('')
      .map((character) => write(character.charCodeAt(0).toString(16).toUpperCase()))
      .join(''),
  );
}

const LOOK_AROUND = 20_000;
/** Of the claim's letters: templates show the rest. */
const LEAST_LITERAL = 0.5;
const LEAST_ALIKE = 0.5;
