/**
 * Which addresses a source may be fetched from. In: host names and IP addresses. Out: a `lookup` for sockets that gives
 * allowed addresses only, so that DNS can't change between check and connection (SSRF by DNS rebinding).
 */
import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
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

/** For `net.connect`: resolves a name and gives its allowed addresses, or a `RefusedAddress` if it has none. */
export function guardedLookup(allowLoopback: boolean): LookupFunction {
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
    dnsLookup(hostname, { ...options, all: true }, (error, addresses) =>
      error === null ? answer(addresses) : callback(error, '', 0),
    );
  };
}

const LOCALHOST = /(^|\.)localhost\.?$/i;
/** RFC 4291, section 2.4: all that is routed today; leaves out the deprecated IPv4-compatible `::a.b.c.d`. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
