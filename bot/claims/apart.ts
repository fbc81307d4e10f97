/**
 * Claim extraction in processes of their own: large pages neither hold up the reader of the stream nor each other. In: pages, and the
 * wiki's vocabulary, which is asked here. Out: extractions. A page that is too much for its process is GivenUp.
 */
import { type Children, openChildren, type RunOptions } from '../../shared/children/children.ts';
import type { Logger } from '../../shared/logger.ts';
import { compiled } from '../../shared/root.ts';
import type { Known } from '../vocabulary/known.ts';
import type { WikiVocabulary } from '../vocabulary/wiki-vocabulary.ts';
import type { ExtractAnswer, ExtractTask } from './child.ts';
import type { Extraction } from './extraction.ts';

export interface ClaimsApart {
  extract(html: string, title: string, signal?: AbortSignal): Promise<Extraction>;
  close(): Promise<void>;
}

export function openClaimsApart(vocabulary: WikiVocabulary, log?: Logger): ClaimsApart {
  const file = compiled(new URL('./child.ts', import.meta.url));
  const children: Children<ExtractTask, ExtractAnswer> = openChildren(file, {
    deadlineMs: DEADLINE_MS,
    addons: true, // sentences are parted by one
    log,
  });
  const versions = createVersions();
  const read = (html: string, title: string, known: Known, signal?: AbortSignal) =>
    children.run({ html, title }, { signal, context: versions.of(known) });
  return {
    async extract(html, title, signal) {
      const known = await vocabulary.knownFor([], signal);
      const { extraction, templates } = await read(html, title, known, signal);
      const more = await vocabulary.knownFor(templates, signal);
      return more === known ? extraction : (await read(html, title, more, signal)).extraction;
    },
    close: () => children.close(),
  };
}

type Context = NonNullable<RunOptions['context']>;

/** A number and bytes for each object: sent along with every page, it would cost more than the page. */
function createVersions() {
  const made = new WeakMap<Known, Context>();
  let last = 0;
  return {
    of(known: Known): Context {
      const version = made.get(known) ?? { bytes: Buffer.from(JSON.stringify(known)), version: ++last };
      made.set(known, version);
      return version;
    },
  };
}

/** The largest articles take a second or two. */
const DEADLINE_MS = 30_000;
