/** FEVER's wiki-pages, `{"id","text","lines"}` a line → pages whose sentences have ids. Chooses none. */
import { z } from 'zod';
import { type EvidencePage, joinLines, sentence } from './evidence-page.ts';

/** [page, sentence id]. */
export type FeverEvidence = [string, number];

/** `lines`: `0\tFirst sentence .\tlinked text\tlinked page` and so on, parted by '\n'. */
export const FeverPage = z.object({ id: z.string(), lines: z.string() });
export type FeverPage = z.infer<typeof FeverPage>;

export function readFeverPage({ id, lines }: FeverPage): EvidencePage<FeverEvidence> {
  const sentences = [...lines.matchAll(LINE)].map(([, number, text]): [number, string] => [Number(number), text ?? '']);
  return joinLines(
    { url: id, title: unbracket(id).replaceAll('_', ' ') },
    sentences
      .map(([number, text]) => sentence<FeverEvidence>([id, number], unbracket(text)))
      .filter(({ text }) => text !== ''),
  );
}

/** What the tokeniser of FEVER's dump wrote for brackets and colons. */
function unbracket(text: string): string {
  return text.replace(/-(LRB|RRB|LSB|RSB|LCB|RCB|COLON)-/g, (whole, name: string) => ESCAPES[name] ?? whole);
}

const ESCAPES: Record<string, string> = {
  LRB: '(',
  RRB: ')',
  LSB: '[',
  RSB: ']',
  LCB: '{',
  RCB: '}',
  COLON: ':',
};

/** A number, a tab, the sentence up to the links. Lines that a sentence's own line break made have no number. */
const LINE = /^(\d+)\t([^\t\n]*)/gm;
