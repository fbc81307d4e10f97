/** What holds of every edit of every page: only the claim's citation changes, and a tag that was put there can be taken away. */
import fc from 'fast-check';
import { applySpans, type Changed, changeWikitext } from '../../gadget/change.ts';
import type { EditFailure, EditKind } from '../../gadget/editing.ts';
import { readReferences } from '../../gadget/references.ts';
import { defaultsFor } from '../../gadget/site-config.ts';
import type { Finding } from '../../shared/citation.ts';

const config = defaultsFor('en');
const URL = 'http://a.example/1';
const SENTENCE = 'The mill at Orrin closed in 1931.';

/** How a reference may be written; `@` is its content. */
const written = fc.constantFrom(
  '<ref>@</ref>',
  '<ref name="n">@</ref>',
  "<ref group='g' name='n'>\n@\n</ref>",
  '{{refn|@}}',
  '{{efn|name=n|@}}',
);
const value = fc.stringMatching(/^[a-zA-Zé .,'&-]{0,12}$/);
const parameter = fc
  .tuple(fc.constantFrom('title', 'last', 'date', 'quote', 'website', 'archive-date', 'mode', 'x'), value)
  .map(([name, text]) => `${name}=${text}`);
const cite = fc
  .tuple(
    fc.constantFrom('cite web', 'Cite_news', 'citation', 'Tull 1998'),
    fc.array(parameter, { maxLength: 4 }),
    fc.constantFrom('|', ' |', '\n | ', '\n|', '| <!-- | c -->'),
  )
  .map(([name, parameters, bar]) => `{{${name}${[`url=${URL}`, ...parameters].map((one) => bar + one).join('')}\n}}`);
const content = fc.oneof(cite, fc.constantFrom(URL, `[${URL} Tull]`, `Tull, ''Mills'' [${URL}]`));
const other = fc.constantFrom(
  '<ref>http://b.example/2</ref>',
  '<ref name="b">{{cite book |title=B |url=http://b.example/2}}</ref>',
  '<ref name=b />',
  '{{sfn|Orme|1950}}',
  '{{r|b}}',
  '{{cn|date=May 2026}}',
  '<nowiki>{{fv}}</nowiki>',
  '<!-- <ref>{{fv}} -->',
  '[[File:x.jpg|thumb|A [[link]]]]',
  '{{quote|text|by=me}}',
  "''",
);
const words = fc.stringMatching(/^[A-Za-zäé ,.\n]{0,20}$/);
const filler = fc.array(fc.oneof(words, other), { maxLength: 4 }).map((parts) => `Before it.${parts.join(' ')}\n\n`);
const behind = fc.constantFrom(
  '',
  '{{rp|4}}',
  ' <ref>http://c.example/3</ref>',
  '{{rp|4}}{{failed verification|date=May 2026}}',
);

const page = fc
  .record({ before: filler, form: written, inside: content, next: behind, after: filler, reuses: fc.nat(1) })
  .map(({ before, form, inside, next, after, reuses }) => {
    const reference = form.replace('@', () => inside);
    const reuse = reuses === 1 && form.startsWith('<ref ') ? ' The inn stayed.<ref name="n" />' : '';
    const start = before.length + SENTENCE.length;
    const end = start + reference.length + next.length;
    return { text: `${before}${SENTENCE}${reference}${next} End.${reuse} ${after}`, start, end };
  });

const finding = {
  claim: { text: SENTENCE, context: '', markerOffset: SENTENCE.length },
  citations: [{ url: URL, name: null, form: 'ref', text: 'Tull', score: 0.1 }],
  verdict: 'not_supported',
} as unknown as Finding; // all that an edit looks at

const anyText = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.constantFrom('a}}b', '<ref>', '|x=y', '~~~~', '[[c]]', '</ref>'),
);
const source = fc.record({ title: anyText, website: anyText, date: anyText, quote: anyText });

function edit(text: string, kind: EditKind, known: Partial<Record<string, string>> = {}): Changed | EditFailure {
  const work = {
    url: 'https://new.example/',
    title: '',
    website: '',
    date: '',
    authors: [],
    type: '',
    quote: '',
    page: '',
  };
  return changeWikitext(text, kind, {
    finding,
    style: { config, language: 'en', now: new Date('2026-11-20'), parameters: null, newTemplate: 'cite web' },
    work: { ...work, ...known },
    tagTemplate: 'failed verification',
  });
}

const kinds = fc.constantFrom<EditKind>('replace', 'add', 'tag', 'untag');
const REUSE = '<ref name="n" />';
const RUNS = { numRuns: 100 };

test('all but the citation and what stands right behind it stays as it is, byte by byte', () => {
  fc.assert(
    fc.property(page, kinds, source, ({ text, start, end }, kind, known) => {
      const changed = edit(text, kind, known);
      if ('why' in changed) return;
      const after = applySpans(text, changed.spans);
      const elsewhere = changed.spans.filter((span) => span.start < start || span.end > end);
      expect(after.slice(0, start)).toBe(text.slice(0, start));
      // elsewhere only a reuse changes, which gets the definition that stood here
      expect(elsewhere.map((span) => text.slice(span.start, span.end))).toEqual(elsewhere.map(() => REUSE));
      expect(elsewhere.every((span) => text.slice(start, end).startsWith(span.text))).toBe(true);
      if (elsewhere.length === 0) expect(after.endsWith(text.slice(end))).toBe(true);
    }),
    RUNS,
  );
});

test('all other references read as they did, and the new one is one reference', () => {
  fc.assert(
    fc.property(page, fc.constantFrom<EditKind>('replace', 'add'), source, ({ text, start, end }, kind, known) => {
      const changed = edit(text, kind, known);
      if ('why' in changed) return;
      const after = applySpans(text, changed.spans);
      const shown = (wikitext: string, from: number, to: number) =>
        readReferences(wikitext, config.templates)
          .uses.filter((use) => use.end <= from || use.start >= to)
          .map((use) => wikitext.slice(use.start, use.end));
      const moved = changed.spans.filter((span) => text.slice(span.start, span.end) === REUSE).map((span) => span.text);
      const before = shown(text, start, end).map((use) => (use === REUSE && moved.length > 0 ? moved[0] : use));
      const grown = after.length - text.length - moved.reduce((sum, one) => sum + one.length - REUSE.length, 0);
      expect(shown(after, start, end + grown)).toEqual(before);
      const added = readReferences(after, config.templates).uses.filter(({ content: one }) =>
        one.includes('https://new.example/'),
      );
      expect(added).toHaveLength(1);
    }),
    RUNS,
  );
});

test('a tag that was put there is taken away again', () => {
  fc.assert(
    fc.property(page, ({ text }) => {
      const tagged = edit(text, 'tag');
      if ('why' in tagged) return;
      const after = applySpans(text, tagged.spans);
      const untagged = edit(after, 'untag');
      expect('why' in untagged ? untagged.why : applySpans(after, untagged.spans)).toBe(text);
      expect(edit(after, 'tag')).toMatchObject({ why: 'already_tagged' });
    }),
    RUNS,
  );
});

test('most of these pages can be edited', () => {
  const made = fc.sample(page, { numRuns: 200, seed: 7 }).filter(({ text }) => !('why' in edit(text, 'replace')));
  expect(made.length).toBeGreaterThan(120);
});
