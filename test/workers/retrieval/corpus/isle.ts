/** Pages about an island that there is not: as lines of a file, and as an input that needs no file to be read. */
import type { CorpusInput, Entry } from '../../../../workers/retrieval/corpus/page-record.ts';

export interface Line {
  url?: string;
  title: string;
  text: string;
  language?: string;
}

/** A page of about 130 words, unlike any other: two passages. */
export function aLine(number: number): Required<Line> {
  const sentences = Array.from({ length: 13 }, (_, at) => {
    const [keeper, boat, year] = [
      `Keeper${number * 31 + at}`,
      `boat${number * 17 + at * 3}`,
      1700 + ((number + at) % 300),
    ];
    return `${keeper} rowed the ${boat} to the island${number} in ${year}.`;
  });
  const url = `https://isle-${number % 7}.example/page/${number}`;
  return { url, title: `Island ${number}`, text: sentences.join('\n'), language: number % 5 === 0 ? 'de' : 'en' };
}

/** 400 entries, some of them broken, some pages given twice. `file`: any that is there, by which the input is known. */
export function isleInput(file: string): CorpusInput {
  let read = 0;
  return {
    ...{ kind: 'jsonl', name: file, progress: () => read / ENTRIES },
    async *entries(after, signal) {
      for (let position = after + 1; position <= ENTRIES; position += 1) {
        signal.throwIfAborted();
        read = position;
        yield anEntry(position);
      }
    },
  };
}

function anEntry(position: number): Entry {
  if (position % 40 === 7) return { kind: 'broken', position, code: 'not_json', detail: `line ${position}` };
  const page = { ...aLine(position % 350), crawledAt: '2026-02-03T04:05:06.000Z', publishedAt: null };
  return { kind: 'page', position, page };
}

const ENTRIES = 400;
