/** `sidelight evaluate agreement`: exported judgements of people → κ, majorities and the sign test. */
import { type Agreement, measureAgreement } from '../../workers/evaluation/agreement.ts';
import { print } from './print.ts';

export async function evaluateAgreement(options: { judgements: string; json: boolean }): Promise<void> {
  const agreement = await measureAgreement(options.judgements);
  print(options.json ? agreement : describe(agreement));
}

function describe({ items, judgements, judges, kappa, majority, sign_test }: Agreement): string {
  const questions = Object.entries(majority).map(([question, counts]) => {
    const answers = Object.entries(counts).map(([answer, n]) => `${answer} ${n}`);
    const agreed = Object.entries(kappa).find(([name]) => name === question)?.[1] ?? null;
    return `${question.padEnd(10)} κ ${agreed === null ? 'undefined' : agreed.toFixed(3)}; ${answers.join(', ')}`;
  });
  const { prefer_suggested, prefer_cited, left_out, p } = sign_test;
  return [
    `${judgements} judgements of ${items} items by ${judges} people`,
    ...questions,
    `sign test  suggested ${prefer_suggested}, cited ${prefer_cited}, left out ${left_out}; p = ${p.toPrecision(3)}`,
  ].join('\n');
}
