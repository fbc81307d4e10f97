/** Makes the edit as the signed-in user, through the wiki's own API. In: a finding with a suggestion. Out: how it went. */
import { replaceCitation } from './replace.ts';
import type { EditFailure, Row } from './state.ts';

export type EditOutcome = { kind: 'saved' } | { kind: 'failed'; why: EditFailure };

/** `mw.Api.edit` reads the latest text, saves against it, and tries once more on an edit conflict. */
export async function applySuggestion(api: mw.Api, page: string, { finding }: Row): Promise<EditOutcome> {
  const suggestion = finding.suggestion;
  if (mw.config.get('wgUserName') === null) return { kind: 'failed', why: 'not_signed_in' };
  if (suggestion === null) return { kind: 'failed', why: 'not_found' };
  let found = true;
  const transform = (revision: { content: string }) => {
    const replaced = replaceCitation(revision.content, {
      claim: finding.claim.text.slice(0, finding.claim.markerOffset) || finding.claim.text,
      cited: finding.citations,
      source: suggestion,
      accessDate: new Date().toISOString().slice(0, 10),
    });
    found = replaced.kind === 'replaced';
    return {
      text: replaced.kind === 'replaced' ? replaced.wikitext : revision.content,
      summary: summaryOf(suggestion.url),
    };
  };
  try {
    await api.edit(page, transform);
    return found ? { kind: 'saved' } : { kind: 'failed', why: 'not_found' };
  } catch (code) {
    return { kind: 'failed', why: code === 'editconflict' ? 'conflict' : 'refused' };
  }
}

function summaryOf(url: string): string {
  return `Replace a citation that does not support its sentence with ${new URL(url).hostname} (found with Sidelight)`;
}
