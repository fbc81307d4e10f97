/** A name server that knows one domain (RFC 1035): every name in it has one IPv4 address, all others do not exist. Serves on UDP 53. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export async function serveNames(options: { host: string; domain: string; address: string }): Promise<void> {
  const socket = createSocket('udp4', (query, from) => {
    socket.send(answer(query, options), from.port, from.address);
  });
  socket.bind(53, options.host);
  await once(socket, 'listening');
}

function answer(query: Buffer, { domain, address }: { domain: string; address: string }): Buffer {
  const { name, end } = readName(query);
  const isKnown = name === domain || name.endsWith(`.${domain}`);
  const isAsked = isKnown && query.readUInt16BE(end) === TYPE_A;
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2); // answer, recursion available; NXDOMAIN
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(isAsked ? 1 : 0, 6);
  return Buffer.concat([header, query.subarray(12, end + 4), ...(isAsked ? [record(address)] : [])]);
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** The name of the question, A, IN, a minute, four bytes. */
function record(address: string): Buffer {
  const head = Buffer.from([0xc0, 0x0c, 0, TYPE_A, 0, 1, 0, 0, 0, 60, 0, 4]);
  return Buffer.concat([head, Buffer.from(address.split('.').map(Number))]);
}

const TYPE_A = 1;
