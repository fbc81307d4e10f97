/** Bytes of a page → its text, in the encoding that a browser would use. In: bytes and the Content-Type header. Out: a string. */
import { isUtf8 } from 'node:buffer';
import sniffEncoding from 'html-encoding-sniffer';
import { decode } from 'whatwg-encoding';

/**
 * Byte order mark, then header, then `<meta charset>` (https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding);
 * where none says anything, UTF-8 if it is valid, else windows-1252. Node's own TextDecoder reads windows-1252 as Latin-1
 * in some releases of Node 20 (no curly quotes), so it is not used.
 */
export function decodePage(body: Buffer, contentType: string): string {
  const label = /charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1];
  const encoding = sniffEncoding(body, {
    ...(label !== undefined && { transportLayerEncodingLabel: label }),
    defaultEncoding: isUtf8(body) ? 'UTF-8' : 'windows-1252',
  });
  return decode(body, encoding);
}
