/**
 * Which addresses a source may be fetched from. In: host names and IP addresses. Out: a `lookup` for sockets that gives
 * allowed addresses only, so that DNS can't change between check and connection (SSRF by DNS rebinding).
 */
import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

export const REFUSED_ADDRESS = 'ERR_REFUSED_ADDRESS';

/** A host that is, or resolves to, no public address. Carries the code `REFUSED_ADDRESS`. */
export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress';
  readonly code = REFUSED_ADDRESS;
}

/** Public unicast only; loopback only where it is allowed. Mapped and translated IPv4 (NAT64, 6to4, Teredo) is refused. */
export function isAllowedAddress(address: string, allowLoopback: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (range === 'loopback') return allowLoopback;
  if (range !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST);
}

/** A literal IP never reaches a socket's lookup: it is refused here. Names are left to `guardedLookup`. */
export function isRefusedHost(url: URL, allowLoopback: boolean): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && !isAllowedAddress(host, allowLoopback);
}

/** Ports of other services than the web's: what they would make of a request is nothing that a citation may cause. */
export function isRefusedPort({ port }: URL): boolean {
  const number = Number(port || 80);
  return number < 1024 ? !LOW_WEB_PORTS.has(number) : OTHER_SERVICES.has(number);
}

/** For `net.connect`: resolves a name and gives its allowed addresses, or a `RefusedAddress` if it has none. */
export function guardedLookup(allowLoopback: boolean, nameServers?: readonly string[]): LookupFunction {
  const resolve = createResolve(nameServers);
  return (hostname, options, callback) => {
    const answer = (addresses: LookupAddress[]) => {
      const allowed = addresses.filter(({ address }) => isAllowedAddress(address, allowLoopback));
      const first = allowed[0];
      if (first === undefined) callback(new RefusedAddress(hostname), '', 0);
      else if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    };
    // RFC 6761, section 6.3: names under localhost never go to DNS
    if (LOCALHOST.test(hostname)) return answer([{ address: '127.0.0.1', family: 4 }]);
    // the callback's errors are its own: nothing that it throws comes back to it as a failed look-up
    resolve(hostname).then(answer, (error: NodeJS.ErrnoException) => callback(error, '', 0));
  };
}

type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/**
 * Asks name servers itself: `dns.lookup` takes two threads of the process at most, so that two hosts whose name servers are
 * silent would keep all others waiting (https://nodejs.org/api/dns.html#implementation-considerations). It is asked only where
 * no name server answers at all.
 */
function createResolve(nameServers: readonly string[] | undefined): Resolve {
  const resolver = new Resolver({ timeout: 2500, tries: 2 });
  if (nameServers !== undefined) resolver.setServers(nameServers);
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (found.length > 0 || v4.status === 'fulfilled') return found;
    if (nameServers === undefined && codeOf(v4.reason) === 'ECONNREFUSED') return lookup(hostname, { all: true });
    throw v4.reason;
  };
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
}

const LOCALHOST = /(^|\.)localhost\.?$/i;
/** RFC 4291, section 2.4: all that is routed today; leaves out the deprecated IPv4-compatible `::a.b.c.d`. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Of those below 1024, where services of a system listen. */
const LOW_WEB_PORTS: ReadonlySet<number> = new Set([80, 81, 82, 83, 84, 85, 88, 443, 591, 800, 801, 808, 888]);
/** https://fetch.spec.whatwg.org/#port-blocking, and databases, caches and queues that are often open by mistake. */
const OTHER_SERVICES: ReadonlySet<number> = new Set([
  1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5672,
  5984, 6000, 6379, 6380, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042, 9092, 9200, 9300, 10080, 10250,
  11211, 27017,
]);
