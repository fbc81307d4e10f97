import { keepNovel } from '../../../workers/find/novelty.ts';

const said = Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ');

function keep(...texts: string[]): string[] {
  return keepNovel(texts.map((text) => ({ text }))).map(({ text }) => text);
}

test('a passage with more than nine tenths of another is left out, whichever is longer', () => {
  expect(keep(said, `${said} and more`)).toEqual([said]);
  expect(keep(`${said} and more`, said)).toEqual([`${said} and more`]);
});

test('a passage with a changed word in its midst says something else', () => {
  const changed = said.replace('word20', 'another');
  expect(keep(said, changed)).toEqual([said, changed]);
});

test('typography does not make a passage new', () => {
  expect(keep(said, said.toUpperCase().replaceAll(' ', ',  '))).toEqual([said]);
});

test('passages of a few words are the same only where their words are', () => {
  expect(keep('It closed.', 'it closed', 'It opened.')).toEqual(['It closed.', 'It opened.']);
});

test('no more are kept than are asked for', () => {
  expect(keepNovel([{ text: 'one' }, { text: 'two' }, { text: 'three' }], 2)).toEqual([
    { text: 'one' },
    { text: 'two' },
  ]);
});
