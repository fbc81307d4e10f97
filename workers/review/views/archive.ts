/** Where copies of a page are. In: its address, the day on which an editor read it. Out: an address at the Internet Archive. */
import { parseArchived } from '../../../shared/url.ts';
import { sourceAddress } from './address.ts';

/** The copy nearest to the day (ISO), or the newest; null for what is no web address, or is a copy already. */
export function archiveAddress(url: string | null, day: string | null): string | null {
  const address = sourceAddress(url);
  if (address === null || parseArchived(address) !== null) return null;
  return `https://web.archive.org/web/${day === null ? '' : `${day.replaceAll('-', '')}/`}${address}`;
}
