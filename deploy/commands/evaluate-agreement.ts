/** `sidelight evaluate agreement`: judgements of people, in a file or of the review service → κ, majorities and the sign test. */
import type { Config } from '../../shared/config.ts';
import { RequestError } from '../../shared/errors.ts';
import { type Agreement, agreementOf, measureAgreement } from '../../workers/evaluation/agreement.ts';
import { blindJudgements } from '../../workers/review/blind/results.ts';
import { openReviewDatabase } from '../../workers/review/database.ts';
import { print } from './print.ts';

/** Throws RequestError where there is no judgement. */
export async function evaluateAgreement(
  config: Config,
  options: { judgements?: string; json: boolean },
): Promise<void> {
  const agreement =
    options.judgements === undefined ? await judgedHere(config) : await measureAgreement(options.judgements);
  print(options.json ? agreement : describe(agreement));
}

async function judgedHere(config: Config): Promise<Agreement> {
  const db = await openReviewDatabase(config.databases.review);
  try {
    const judgements = await blindJudgements(db);
    if (judgements.length > 0) return agreementOf(judgements);
    throw new RequestError('no_judgements', 'nobody has judged at /compare yet: give a file with --judgements');
  } finally {
    await db.destroy();
  }
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
