/**
 * Labelled pairs → the weights of support.ts, and the figures of a cross-validation over articles. The label is the page's: of its
 * passages the one that the weights like best bears it, chosen anew in each round (SIDE, "Methods").
 * Usage: node .build/workers/suggestion/training/fit-support.js PAIRS.jsonl…
 */
import { hashText } from '../../../shared/hash.ts';
import { auroc } from '../../evaluation/metrics.ts';
import { type LabelledPair, readPairs } from '../../evaluation/pairs.ts';
import { readClaim } from '../../verification/claim.ts';
import { readPage, shareTerms } from '../../verification/select.ts';
import { loadModels } from '../../verification/verifier.ts';
import { createRanker, type PassageRanker } from '../rank.ts';
import { measureSupport, SUPPORT_FEATURES } from '../support.ts';
import { chance, regress } from './logistic.ts';

interface Example {
  article: string;
  positive: boolean;
  /** Features of each passage. */
  passages: number[][];
}

/** Those that share most with the claim; the others hardly ever have its evidence. */
const PASSAGES = 4;
const ROUNDS = 4;
const FOLDS = 10;

const ranker = createRanker((await loadModels('workers/models')).crossEncoder);
const examples: Example[] = [];
for await (const pair of readPairs(...process.argv.slice(2))) examples.push(await toExample(pair, ranker));
const weights = train(examples);
const shown = {
  features: SUPPORT_FEATURES,
  coefficients: weights.slice(0, -1).map(round),
  intercept: round(weights.at(-1) ?? 0),
};
process.stdout.write(`${JSON.stringify({ ...shown, ...validate(examples) }, null, 1)}\n`);

async function toExample({ claim: text, sources, label, article }: LabelledPair, by: PassageRanker): Promise<Example> {
  const claim = readClaim(text);
  const passages = sources
    .flatMap((page) => readPage(page).passages)
    .sort((a, b) => shareTerms(claim.terms, b.terms) - shareTerms(claim.terms, a.terms))
    .slice(0, PASSAGES);
  const ranked = passages.map(({ passage }) => passage);
  const opinions = await by.rank(text, ranked);
  return {
    article: article ?? text.title,
    positive: label === 'supported',
    passages: passages.flatMap(({ terms }, at) => {
      const opinion = opinions[at];
      return opinion === undefined ? [] : [measureSupport(claim, opinion, terms)];
    }),
  };
}

function train(of: readonly Example[]): number[] {
  let weights = regress(
    of.flatMap(({ passages: [first], positive }) => (first === undefined ? [] : [{ x: first, positive }])),
  );
  for (let round = 0; round < ROUNDS; round += 1) {
    const known = weights;
    weights = regress(of.flatMap(({ passages, positive }) => bestOf(known, passages).map((x) => ({ x, positive }))));
  }
  return weights;
}

/** None of no passages. */
function bestOf(weights: readonly number[], passages: readonly number[][]): number[][] {
  return [...passages].sort((a, b) => chance(weights, b) - chance(weights, a)).slice(0, 1);
}

function validate(of: readonly Example[]) {
  const foldOf = ({ article }: Example) => Number.parseInt(hashText(article).slice(0, 8), 16) % FOLDS;
  const rows = Array.from({ length: FOLDS }, (_, fold) => {
    const trained = train(of.filter((example) => foldOf(example) !== fold));
    const held = of.filter((example) => foldOf(example) === fold);
    return held.map(({ passages, positive }) => {
      const [best] = bestOf(trained, passages);
      return { score: best === undefined ? 0 : chance(trained, best), positive };
    });
  }).flat();
  const cuts = [0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8].map((cut) => {
    const above = rows.filter(({ score }) => score >= cut);
    const right = above.filter(({ positive }) => positive).length;
    return { cut, rows: above.length, precision: round(right / above.length) };
  });
  return { n: rows.length, auroc: round(auroc(rows)), cuts };
}

function round(number: number): number {
  return Number(number.toFixed(3));
}
