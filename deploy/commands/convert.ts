/** `sidelight convert`: files of a published format → labelled pairs on stdout, one JSON object a line. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ConvertInput, convert as convertFiles } from '../../workers/evaluation/convert/convert.ts';

export type ConvertOptions = Pick<ConvertInput, 'from' | 'files' | 'pages'>;

export async function convert(options: ConvertOptions): Promise<void> {
  let leftOut = 0;
  const pairs = convertFiles({
    ...options,
    onLeftOut: () => {
      leftOut += 1;
    },
  });
  async function* lines(): AsyncGenerator<string> {
    for await (const pair of pairs) yield `${JSON.stringify(pair)}\n`;
  }
  await pipeline(Readable.from(lines()), process.stdout, { end: false }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error; // who reads has enough, as `head` does
  });
  if (leftOut > 0)
    process.stderr.write(`${leftOut} records left out: no text of their source, or no label for a pair\n`);
}
