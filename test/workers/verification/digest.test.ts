import { readClaim } from '../../../workers/verification/claim.ts';
import { digest } from '../../../workers/verification/digest.ts';
import { readPage, select } from '../../../workers/verification/select.ts';

const FILLER =
  'Rye bread keeps for a week when it is wrapped in linen and left in a cool, dark and dry corner of the cellar.';

function digestOf(claim: string, ...texts: string[]): string {
  const { terms } = readClaim({ text: claim, title: '', section: [], context: '' });
  const pages = texts.map((text, at) => readPage({ url: `https://example.org/${at}`, title: '', text }));
  return digest(terms, select(terms, pages).sentences);
}

test('evidence that is spread over a long page stands together, in the order of the page', () => {
  const text = [
    'The station café was opened by Ilse Brandt.',
    ...Array(30).fill(FILLER),
    'The ropeway itself was built in 1912.',
  ].join('\n');
  expect(digestOf('Ilse Brandt opened the café of the ropeway built in 1912.', text)).toBe(
    'The station café was opened by Ilse Brandt. The ropeway itself was built in 1912.',
  );
});

test('a sentence that only repeats the first is left for one that adds something', () => {
  const text = `${'The ropeway was opened in June 1912 by the king.\n'.repeat(40)}It carried limestone.`;
  expect(digestOf('The ropeway was opened in June 1912 by the king to carry limestone.', text)).toContain('limestone');
});

test('a digest has at most 150 words', () => {
  const cargo = 'limestone larch slate coal butter timber gravel salt rye copper wool hops'.split(' ');
  const text = cargo.map(
    (goods) => `In the year before that the buckets brought only ${goods}, as old men of the valley tell.`,
  );
  const words = digestOf(`The ropeway carried ${cargo.join(', ')}.`, text.join('\n')).split(' ').length;
  expect(words).toBeGreaterThan(130);
  expect(words).toBeLessThanOrEqual(150);
});

test('pages follow each other in their order', () => {
  const said = digestOf('The ropeway carried limestone.', 'Limestone was quarried.', 'The ropeway closed.');
  expect(said).toBe('Limestone was quarried. The ropeway closed.');
});

test('a page that shares nothing with the claim has no digest', () => {
  expect(digestOf('The ropeway carried limestone.', FILLER)).toBe('');
  expect(digestOf('The ropeway carried limestone.', '')).toBe('');
  expect(digestOf('', FILLER)).toBe('');
});
