/** What a finding hangs on, as the service knows it: `shared/hash.ts` for browsers. In: a finding. Out: two hashes. */
import type { Finding } from '../shared/citation.ts';

export async function anchorOf({ claim, citations }: Finding): Promise<{ claim: string; citations: string }> {
  const group = citations.map(({ hash }) => hash).sort();
  return { claim: claim.hash, citations: await hashText(group.join(' ')) };
}

/** First 16 hex digits of the SHA-256. */
async function hashText(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest).slice(0, 8))
    .map((byte) => `0${byte.toString(16)}`.slice(-2))
    .join('');
}
