/** An edit as wikitext. In: the page's wikitext, a finding, the kind of edit. Out: the wikitext with it, or why it can't be made safely. */
import type { Finding } from '../shared/citation.ts';
import type { EditFailure, EditKind } from './editing.ts';
import { replaceCitation } from './replace.ts';
import type { SiteConfig } from './site-config.ts';
import { weakestCitation } from './state.ts';

export interface ChangeWish {
  kind: EditKind;
  finding: Finding;
  config: SiteConfig;
  now: Date;
}

export interface Changed {
  wikitext: string;
  /** Content of the new reference; null where there is none. */
  reference: string | null;
}

export function changeWikitext(wikitext: string, { kind, finding, now }: ChangeWish): Changed | EditFailure {
  const { claim, suggestion } = finding;
  if (suggestion === null || kind !== 'replace') return { why: 'not_found', detail: '' };
  const cited = weakestCitation(finding);
  const accessDate = now.toISOString().slice(0, 10);
  const replaced = replaceCitation(wikitext, { claim, cited, source: suggestion, accessDate });
  return replaced.kind === 'not_found'
    ? { why: 'not_found', detail: '' }
    : { wikitext: replaced.wikitext, reference: null };
}
