import { findingsTable } from '../../../deploy/local/table.ts';
import type { Finding } from '../../../shared/citation.ts';
import { aFinding } from '../../support/examples.ts';

const rowOf = (changes: Partial<Finding>) => findingsTable([{ ...aFinding, ...changes }], 140);
const unscored = { score: null, failed: null } as const;

test.each<[string, Partial<Finding>]>([
  ['contradicted', { verdict: 'contradicted' }],
  ['partially supported', { verdict: 'partially_supported' }],
  ['not read: paywall', { ...unscored, verdict: 'unavailable', reason: 'paywall' }],
  ['language not judged', { ...unscored, verdict: 'unsupported_language' }],
  ['can’t be checked: opinion', { ...unscored, verdict: 'uncheckable', uncheckable: 'opinion' }],
  ['can’t be checked: calculation', { ...unscored, verdict: 'uncheckable', uncheckable: 'routine_calculation' }],
  ['can’t be checked: well known', { ...unscored, verdict: 'uncheckable', uncheckable: 'sky_is_blue' }],
])('the terminal says %s', (words, changes) => {
  expect(rowOf(changes)).toContain(` ${words} `);
});

test('claims are cut so that the table is as wide as the terminal, whatever the verdict', () => {
  const text = 'The mill closed in 1931. '.repeat(9);
  const long = { ...aFinding, claim: { ...aFinding.claim, text } };
  const unread = { ...long, ...unscored, verdict: 'unavailable', reason: 'too_many_redirects' } as const;
  for (const findings of [[long], [long, unread]]) {
    const lines = findingsTable(findings, 100).split('\n');
    expect(lines.map((line) => line.length)).toEqual(lines.map(() => 100));
  }
});
