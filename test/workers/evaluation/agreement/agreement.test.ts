import { readFile } from 'node:fs/promises';
import { fleissKappa, measureAgreement, signTest } from '../../../../workers/evaluation/agreement.ts';
import { fileOf } from '../fever/files.ts';

/** What irrCAC 0.4.4 (κ, also with unequal numbers of judges) and scipy 1.17 (binomtest) say of random tables and splits. */
const published: {
  kappa: { counts: number[][]; kappa: number }[];
  sign: { wins: number; losses: number; p: number }[];
} = JSON.parse(await readFile('test/workers/evaluation/agreement/published-statistics.json', 'utf8'));

describe('κ', () => {
  test('of the diagnoses of 30 patients by six psychiatrists each is .430 (Fleiss 1971, table 1)', () => {
    const diagnoses = `00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031
      00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006`;
    const counts = diagnoses.split(/\s+/).map((row) => [...row].map(Number));
    expect(counts).toHaveLength(30);
    expect(fleissKappa(counts)).toBeCloseTo(0.43, 3);
  });

  test.each(published.kappa)('of $counts is $kappa', ({ counts, kappa }) => {
    expect(fleissKappa(counts)).toBeCloseTo(kappa, 10);
  });

  test('is undefined where no item was judged twice or every answer is the same', () => {
    expect(fleissKappa([])).toBeNull();
    expect(
      fleissKappa([
        [1, 0],
        [0, 1],
      ]),
    ).toBeNull();
    expect(
      fleissKappa([
        [2, 0],
        [3, 0],
      ]),
    ).toBeNull();
  });
});

test.each(published.sign)('a split of $wins to $losses has p = $p', ({ wins, losses, p }) => {
  expect(signTest(wins, losses)).toBeCloseTo(p, 10);
});

describe('judgements of people', () => {
  const judgement = (item: string, judge: string, answers: string) => {
    const [cited, suggested, preferred] = answers.split(' ');
    return { item, judge, cited, suggested, preferred };
  };
  const JUDGEMENTS = [
    judgement('kiln', 'ada', 'none enough suggested'),
    judgement('kiln', 'bo', 'partial enough suggested'),
    judgement('kiln', 'cy', 'none partial suggested'),
    judgement('cup', 'ada', 'enough none cited'),
    judgement('cup', 'bo', 'enough none suggested'),
    judgement('mill', 'ada', 'partial partial neither'),
    judgement('mill', 'bo', 'partial enough neither'),
    judgement('mill', 'cy', 'partial enough cited'),
    judgement('ferry', 'cy', 'none enough suggested'),
  ];

  test('give κ, majorities and a sign test over items', async () => {
    const agreement = await measureAgreement(await fileOf(JUDGEMENTS));
    expect(agreement).toMatchObject({
      items: 4,
      judgements: 9,
      judges: 3,
      majority: {
        cited: { enough: 1, partial: 1, none: 2, no_majority: 0 },
        suggested: { enough: 3, partial: 0, none: 1, no_majority: 0 },
        preferred: { cited: 0, suggested: 2, neither: 1, no_majority: 1 },
      },
      sign_test: { prefer_suggested: 2, prefer_cited: 0, left_out: 2, p: 0.5 },
    });
    const cited = [
      [0, 1, 2],
      [2, 0, 0],
      [0, 3, 0],
      [0, 0, 1],
    ];
    expect(agreement.kappa.cited).toBe(fleissKappa(cited));
  });

  test('of one person about one item twice are refused', async () => {
    const twice = await fileOf([JUDGEMENTS[0], JUDGEMENTS[1], JUDGEMENTS[0]]);
    await expect(measureAgreement(twice)).rejects.toMatchObject({ code: 'judged_twice' });
  });

  test('with an unknown answer are refused with line and field, and so is a file without any', async () => {
    const broken = await fileOf([JUDGEMENTS[0], { ...JUDGEMENTS[1], cited: 'maybe' }]);
    await expect(measureAgreement(broken)).rejects.toThrow(`${broken}, line 2: cited`);
    await expect(measureAgreement(await fileOf([]))).rejects.toMatchObject({ code: 'no_judgements' });
  });
});
