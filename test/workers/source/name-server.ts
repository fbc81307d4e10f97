/** A real DNS server on loopback for tests: answers A and AAAA as a test says, and is silent where it says so. */
import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';

export interface NameServer {
  /** `address:port` */
  address: string;
  /** Names that were asked for. */
  asked: string[];
  close(): Promise<void>;
}

/** By name: its addresses, or 'silent'. Any other name does not exist. */
export async function startNameServer(
  names: Record<string, readonly string[] | 'silent' | (() => readonly string[])>,
): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query);
    asked.push(name);
    const said = Object.hasOwn(names, name) ? names[name] : undefined;
    if (said === 'silent') return;
    const addresses = (typeof said === 'function' ? said() : said)?.filter((each) => isIPv4(each) === (type === A));
    socket.send(reply(query, end, type, addresses), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** RFC 1035, section 4.1.2. */
function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** The question again, then an answer an address; names that don't exist are NXDOMAIN. */
function reply(query: Buffer, end: number, type: number, addresses: readonly string[] | undefined): Buffer {
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(addresses === undefined ? 0x8183 : 0x8180, 2);
  head.writeUInt16BE(addresses?.length ?? 0, 6);
  head.writeUInt32BE(0, 8);
  const answers = (addresses ?? []).map((address) => {
    const data = type === A ? Buffer.from(address.split('.').map(Number)) : readV6(address);
    const record = Buffer.from('c00c000000010000000000', 'hex'); // the name by its place, type, IN, no time to live
    record.writeUInt16BE(type, 2);
    return Buffer.concat([record.subarray(0, 10), Buffer.from([0, data.length]), data]);
  });
  return Buffer.concat([head, query.subarray(12, end), ...answers]);
}

/** Full notation with `::`, no dotted part. */
function readV6(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::');
  const [before, after] = [head, tail].map((part) => part.split(':').filter(Boolean)) as [string[], string[]];
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

const A = 1;
