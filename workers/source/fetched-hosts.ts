/**
 * How often each host of sources was asked, for metrics: the web has millions of hosts, so that only those asked most are known.
 * In: a host. Out: a gauge of the first few.
 */
import { onRead, replace } from '../../shared/metrics.ts';

/** Counts a request; the first one begins telling. */
export function countHost(host: string): void {
  if (counts.size === 0) tellHosts();
  countAmong(counts, host, KNOWN);
}

function tellHosts(): void {
  onRead(['sidelight_host_fetches'], async () =>
    replace(
      'sidelight_host_fetches',
      mostAsked(counts, SHOWN).map(([name, asked]) => [{ host: name }, asked]),
    ),
  );
}

/**
 * Space-Saving (Metwally, Agrawal, El Abbadi 2005): with all places taken, a new host gets that of the one asked least, count and
 * all. So a host that makes up more than 1 of `places` requests is always known, and a count is too high by the least one at most.
 */
export function countAmong(known: Map<string, number>, host: string, places: number): void {
  const count = known.get(host);
  if (count !== undefined || known.size < places) {
    known.set(host, (count ?? 0) + 1);
    return;
  }
  const [least, asked] = mostAsked(known, known.size).at(-1) ?? ['', 0];
  known.delete(least);
  known.set(host, asked + 1);
}

export function mostAsked(known: ReadonlyMap<string, number>, most: number): [string, number][] {
  return [...known].sort(([, a], [, b]) => b - a).slice(0, most);
}

const counts = new Map<string, number>();
const KNOWN = 500;
const SHOWN = 20;
