import * as fc from 'fast-check';
import { type Mark, marksIn, place, pointsOf } from '../../../workers/review/marks.ts';
import { type Layer, markedText } from '../../../workers/review/views/marked.ts';

const evidence = (passage: string, title = '') => ({ passage, title, url: 'https://orrin.example/mill' });

function compare(text: string, passage: string, title = '') {
  const placed = place(pointsOf({ text }, []), evidence(passage, title), []);
  return placed.map(({ kind, text: detail, places }) => [
    kind,
    detail,
    ...places.map(({ start, end }) => passage.slice(start, end)),
  ]);
}

test('a name is found in any spelling, a date in any form, a number rounded or in words', () => {
  expect(
    compare(
      'Edda Marsh sold 1,500 sheep on 3 May 1931.',
      'On May 3, 1931 the widow Marsh sold about fifteen hundred sheep; E. Marsh never bought one again.',
    ),
  ).toEqual([
    ['same', 'Edda Marsh', 'Marsh', 'Marsh'],
    ['same', '1,500', expect.stringContaining('fifteen hundred')],
    ['same', '3 May 1931', 'May 3, 1931'],
  ]);
});

test('a common word is no spelling of a name, though they sound alike', () => {
  const passage = 'The mill of Orrin Bay stood by the bay. Run by the Marshes, it had run for a while in the rain.';
  expect(compare('The mill at Orrin Bay closed.', passage)).toEqual([['same', 'Orrin Bay', 'Orrin Bay', 'bay']]);
  expect(compare('The mill of Anton Yurovsky closed.', 'It was of Jurowski alone.')).toEqual([
    ['same', 'Anton Yurovsky', 'Jurowski'],
  ]);
});

test('what stands in the title alone has no place in the passage; what stands nowhere is absent', () => {
  expect(compare('The mill at Orrin Bay closed in 1931.', 'It shut its doors.', 'Orrin Bay')).toEqual([
    ['same', 'Orrin Bay'],
    ['absent', '1931'],
  ]);
});

test('a detail that a rule finds to differ differs, though it stands elsewhere in the passage', () => {
  const text = 'It closed in 1931.';
  const passage = 'Built in 1931, it closed in 1934.';
  const quote = { url: 'https://orrin.example/mill', title: '', quote: '1934', start: 28, end: 32 };
  const mismatch = { code: 'date' as const, claim: { start: 13, end: 17 }, page: quote };
  const placed = place(pointsOf({ text }, [mismatch]), evidence(passage), [mismatch]);
  expect(placed).toMatchObject([{ kind: 'differs', pair: 1, places: [{ start: 28, end: 32 }] }]);
});

test('a claim without details, and an empty passage, are compared to nothing', () => {
  expect(compare('it rained.', 'It rained.')).toEqual([]);
  expect(compare('It closed in 1931.', '')).toEqual([['absent', '1931']]);
});

const words = fc.array(fc.constantFrom('Orrin', 'Bay', '1931', '40', 'tonnes', '<b>', 'in', '. ', '&', 'Ω', '𝄞'), {
  maxLength: 20,
});

test('whatever is compared, marks stand in the passage, in order, and apart', () => {
  fc.assert(
    fc.property(words, words, (claim, page) => {
      const passage = page.join(' ');
      let end = 0;
      for (const mark of marksIn(place(pointsOf({ text: claim.join(' ') }, []), evidence(passage), []))) {
        expect(mark.start).toBeGreaterThanOrEqual(end);
        expect(mark.end).toBeGreaterThan(mark.start);
        end = mark.end;
      }
      expect(end).toBeLessThanOrEqual(passage.length);
    }),
  );
});

test('whatever is marked, the text is the same, and nothing of it is markup', () => {
  const span = fc.tuple(fc.integer({ min: -5, max: 60 }), fc.integer({ min: 0, max: 20 }));
  const apart = (spans: [number, number][]) => {
    let at = -10;
    return spans.map(([gap, length]) => {
      const start = at + Math.abs(gap);
      at = start + length;
      return { start, end: at };
    });
  };
  fc.assert(
    fc.property(words, fc.array(span), fc.array(span), (text, over, within) => {
      const layers = apart(over).map((one): Layer => ({ ...one, className: 'missing' }));
      const marks = apart(within).map((one, at): Mark => ({ ...one, kind: 'same', pair: at + 1 }));
      const html = markedText(text.join(' '), layers, marks);
      const tags = /<\/?(?:mark|span)(?: (?:class|title|data-pair|data-said)="[^"]*")* ?>/g;
      const bare = html.replace(tags, '');
      expect(bare).not.toMatch(/[<>]/);
      expect(bare.replace(/&#60;/g, '<').replace(/&#62;/g, '>').replace(/&#38;/g, '&')).toBe(text.join(' '));
    }),
  );
});
