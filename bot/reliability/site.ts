/** 'www.example.org/blog/' as lists name sites → domain and path, or null. */
import type { ListEntry } from '../../shared/reliability.ts';
import { originalOfArchived, parseHttpUrl } from '../../shared/url.ts';

/** With or without scheme; of an archived page, the site that it was. */
export function parseSite(text: string): Pick<ListEntry, 'domain' | 'path'> | null {
  const named = originalOfArchived(text.trim()).replace(/^\*\./, '');
  const url = parseHttpUrl(/^(https?:)?\/\//i.test(named) ? named : `http://${named}`);
  if (url === null || !DOMAIN.test(url.hostname)) return null;
  return { domain: url.hostname.replace(/^www\./, ''), path: url.pathname.replace(/\/+$/, '') };
}

const DOMAIN = /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/;
