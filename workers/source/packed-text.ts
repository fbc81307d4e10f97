/**
 * Long texts as the sources' database keeps them. In: a text. Out: gzip, small enough for one statement of a MariaDB as it comes. Reads
 * plain UTF-8 too, as files of earlier versions hold it.
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

/** Throws TextTooLong: nobody puts a text before `fitsPacked` was asked. */
export async function packText(text: string): Promise<Buffer> {
  const body = await compress(text);
  if (body.length > MOST_BYTES)
    throw new TextTooLong(`a text of ${text.length} characters is ${body.length} bytes packed`);
  return body;
}

/** Of a page or a file that is longer, nothing is kept: it is `too_large`. */
export async function fitsPacked(text: string): Promise<boolean> {
  return text.length * BYTES_OF_CHARACTER <= MOST_BYTES || (await compress(text)).length <= MOST_BYTES;
}

export async function unpackText(body: Uint8Array): Promise<string> {
  const isPacked = body[0] === 0x1f && body[1] === 0x8b; // no UTF-8 begins so
  return Buffer.from(isPacked ? await decompress(body) : body).toString('utf8');
}

class TextTooLong extends Error {
  override readonly name = 'TextTooLong';
}

/**
 * max_allowed_packet is 16 MiB (https://mariadb.com/kb/en/server-system-variables/#max_allowed_packet), and bytes are sent as
 * hexadecimal digits.
 */
const MOST_BYTES = 7 * 1024 ** 2;
/** Of a UTF-16 unit, at most. */
const BYTES_OF_CHARACTER = 3;
// off the main thread: a large text would hold up everything else
const compress = promisify(gzip) as (text: string) => Promise<Buffer>; // an overload of it
const decompress = promisify(gunzip);
