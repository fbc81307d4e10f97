/** Bytes of a page → its text, in the encoding that they are in, whatever the labels say. In: bytes and the Content-Type header. Out: a string. */
import { isAscii, isUtf8 } from 'node:buffer';
import { analyse } from 'chardet';
import sniffEncoding from 'html-encoding-sniffer';
import { decode, labelToName } from 'whatwg-encoding';

/**
 * Byte order mark, then header, then the page's own label (https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding),
 * except where the bytes show that a label is wrong; then what the bytes look like. Node's own TextDecoder reads windows-1252 as
 * Latin-1 in some releases of Node 20 (no curly quotes), so it is used for the one encoding alone that the other lacks.
 */
export function decodePage(body: Buffer, contentType: string): string {
  if (isJis(body)) return new TextDecoder('iso-2022-jp').decode(body);
  return decode(body, findEncoding(body, /charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1]));
}

function findEncoding(body: Buffer, header: string | undefined): string {
  const isValid = isUtf8(body);
  const isUnicode = isValid || isMostlyUtf8(body);
  for (const name of [labelToName(header ?? ''), ownEncoding(body)]) {
    // servers say Latin-1 or UTF-8 of everything; bytes that are valid UTF-8 are nothing else in practice
    if (name === 'windows-1252' && isValid) return 'UTF-8';
    if (name !== null && (name !== 'UTF-8' || isUnicode)) return name;
  }
  return isUnicode ? 'UTF-8' : guess(body);
}

/** 7 bits, and so valid UTF-8: known by how it changes between alphabets. */
function isJis(body: Buffer): boolean {
  return ['\x1b$B', '\x1b$@'].some((change) => body.includes(change)) && isAscii(body);
}

/** With a stray byte here and there, as of a text that was cut or put into a page of another encoding. */
function isMostlyUtf8(body: Buffer): boolean {
  const beyondAscii = [...body.toString('utf8', 0, MAX_SEEN).replace(ASCII, '')];
  const broken = beyondAscii.filter((character) => character === '\ufffd').length;
  return beyondAscii.length > 2 * broken;
}

/** Browsers look at the first 1,024 bytes; pages have their label behind long comments and scripts too. */
function ownEncoding(body: Buffer): string | null {
  const head = body.toString('latin1', 0, MAX_HEAD).replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  for (const { index } of head.matchAll(/<meta\b[^>]{0,500}charset/gi)) {
    const name = sniffEncoding(Buffer.from(head.slice(index, index + MAX_META), 'latin1'), { defaultEncoding: '' });
    if (name !== '') return name;
  }
  return labelToName(/^\s*<\?xml\b[^>]{0,200}\bencoding\s*=\s*["']([\w:.-]+)/i.exec(head)?.[1] ?? '');
}

/**
 * By what stands between the tags: markup is ASCII in all of them, and says nothing. In Latin alphabets most letters are ASCII: a few with
 * accents look like Chinese at times.
 */
function guess(body: Buffer): string {
  const text = body.toString('latin1', 0, MAX_SEEN).replace(MARKUP, ' ').slice(0, MAX_SAMPLE);
  const isLatin = countOf(text, /[a-z]/gi) > countOf(text, /[\x80-\xff]/g);
  const found = analyse(Buffer.from(text, 'latin1')).find(({ name }) => !isLatin || LATIN.test(name));
  const name = found === undefined || found.confidence < MIN_CONFIDENCE ? null : labelToName(found.name);
  // they differ in few letters, and only one of them has letters there
  if (name === 'ISO-8859-2' && /[\x80-\x9f]/.test(text)) return 'windows-1250';
  return name ?? 'windows-1252';
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

const LATIN = /^(iso-8859-[129]|windows-125[0247])$/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII has control characters
const ASCII = /[\x00-\x7f]+/g;
const MARKUP = /<(script|style)\b[\s\S]*?(?:<\/\1>|$)|<[^<>]{0,2000}>/gi;
/** Bytes. */
const MAX_HEAD = 64 * 1024;
const MAX_META = 1024;
const MAX_SEEN = 1024 * 1024;
const MAX_SAMPLE = 64 * 1024;
/** Of 100. Where a Latin alphabet is guessed below it, as of few letters with accents, windows-1252 is likelier. */
const MIN_CONFIDENCE = 30;
