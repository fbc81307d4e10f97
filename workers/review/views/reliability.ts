/** What a wiki's lists say of a site: in words, with the list and its day, and as no more than one input. */
import { html } from 'ghtml';
import type { Reliability } from '../../../shared/citation.ts';
import { listText, STANDINGS } from '../../../shared/reliability.ts';
import { listAddress, type Wikis } from './address.ts';
import { externalLink } from './parts.ts';

/** '' where no list has the site. */
export function standing(reliability: Reliability | null, wikis: Wikis): string {
  if (reliability === null) return '';
  const list = externalLink(listAddress(reliability, wikis), listText(reliability));
  return html`<p class="facts standing"><span class="quiet">The site, one input among many:</span> <strong>${STANDINGS[reliability.status]}</strong> · !${list}</p>`;
}
