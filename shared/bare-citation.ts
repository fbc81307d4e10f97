/** A page that no article cites, as a citation: for what is read because a person or the corpus asks. In: URL or name. */
import type { Citation } from './citation.ts';
import { hashCitation } from './hash.ts';

/** `url` null: known by its text alone. */
export function bareCitation(url: string | null, text: string): Citation {
  return {
    hash: hashCitation({ url, text }),
    url,
    archiveUrl: null,
    urlStatus: null,
    title: null,
    text,
    accessDate: null,
    name: null,
    form: 'ref',
  };
}
