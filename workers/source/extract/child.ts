/** What a child of `apart.ts` runs: a response's bytes → its text, or why there is none. */
import { extract } from './extract.ts';

export interface ExtractTask {
  body: Uint8Array;
  contentType: string;
}

export default async function extractTask({ body, contentType }: ExtractTask): ReturnType<typeof extract> {
  return extract(Buffer.from(body.buffer, body.byteOffset, body.byteLength), contentType);
}
