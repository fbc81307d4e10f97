/** A file of labelled cases (its form: tuning.txt) → cases, and how many of the mismatches found in them are right. */
import { readFileSync } from 'node:fs';
import type { Mismatch } from '../../../../shared/citation.ts';
import { findMismatches } from '../../../../workers/verification/checks/mismatches.ts';

export interface Case {
  about: string;
  claim: string;
  page: string;
  /** Code, words of the claim, words of the page. */
  find: [string, string, string][];
}

export function readCases(name: string): Case[] {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8');
  return text
    .split(/\n\s*\n/)
    .filter((block) => block.startsWith('about: '))
    .map(readCase);
}

export function check({ claim, page }: Pick<Case, 'claim' | 'page'>): Mismatch[] {
  const text = `A line of the page before the passage.\n${page}`;
  const start = text.length - page.length;
  return findMismatches(claim, [{ url: 'https://page.invalid/', title: '', text: page, start, end: text.length }]);
}

export interface Tally {
  right: number;
  wrong: number;
  missed: number;
}

export function tally(cases: readonly Case[]): Tally {
  const total = { right: 0, wrong: 0, missed: 0 };
  for (const one of cases) {
    const found = check(one);
    const right = one.find.filter((expected) => found.some((mismatch) => isSame(one, expected, mismatch))).length;
    total.right += right;
    total.wrong += found.length - right;
    total.missed += one.find.length - right;
  }
  return total;
}

function isSame({ claim }: Case, [code, ours, theirs]: Case['find'][number], mismatch: Mismatch): boolean {
  const words = claim.slice(mismatch.claim.start, mismatch.claim.end);
  return (
    mismatch.code === code && (ours.includes(words) || words.includes(ours)) && mismatch.page.quote.includes(theirs)
  );
}

function readCase(block: string): Case {
  const lines = block.trim().split('\n');
  const take = (key: string) =>
    lines.filter((line) => line.startsWith(`${key}: `)).map((line) => line.slice(key.length + 2));
  const find = take('find')
    .filter((line) => line !== 'nothing')
    .map((line): [string, string, string] => {
      const [code = '', ours = '', theirs = ''] = line.split(' | ');
      return [code, ours, theirs];
    });
  return { about: take('about').join(), claim: take('claim').join(), page: take('page').join('\n'), find };
}
