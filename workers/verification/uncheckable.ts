/**
 * A claim → why no source need support it, by shapes of the whole sentence. Rather none than a wrong one: a claim that is called
 * uncheckable is never checked. Judges no claim true or false.
 */
import type { UncheckableReason } from '../../shared/citation.ts';
import { isRoutineCalculation } from './calculation.ts';

/**
 * https://en.wikipedia.org/wiki/Wikipedia:When_to_cite, https://en.wikipedia.org/wiki/Wikipedia:No_original_research#Routine_calculations,
 * https://en.wikipedia.org/wiki/Wikipedia:You_don%27t_need_to_cite_that_the_sky_is_blue. Null for a claim that a page can settle.
 */
export function whyUncheckable(claim: string): UncheckableReason | null {
  const text = claim.normalize('NFKC').replace(/\s+/g, ' ').trim();
  if (text.length > LONGEST) return null;
  if (isOpinion(text)) return 'opinion';
  if (isRoutineCalculation(text)) return 'routine_calculation';
  return OBVIOUS.some((shape) => shape.test(text)) ? 'sky_is_blue' : null;
}

/** Characters. A longer sentence says more than one of these shapes. */
const LONGEST = 160;

/** An attributed value judgement is a fact about who made it, and a figure is no judgement. */
function isOpinion(text: string): boolean {
  return !/\d|["“”«»]/.test(text) && !ATTRIBUTED.test(text) && OPINIONS.some((shape) => shape.test(text));
}

const ATTRIBUTED =
  /\b(?:accord\w+|acclaim\w*|award\w*|believ\w+|call(?:ed|s)?|claim\w*|consider\w*|contests?|credited|critics?|declared?|deemed|describ\w+|felt|hailed|honou?r\w*|judged|known|label\w*|lists?|listed|marketed|nam(?:ed?|ing)|opinion|polls?|prais\w+|prize|rank\w*|rated?|rating|recogni[sz]ed|referred|regard\w*|reportedly|reput\w+|review\w*|said|sa(?:y|ys|ying)|saw|seen|sees|surveys?|thinks?|thought|titles?|viewed|vot\w+|wanted|wishe[sd]|writes?|written|wrote)\b/i;

const VALUE =
  '(?:amazing|atrocious|awful|beautiful|boring|breathtaking|brilliant|captivating|catchy|charming|delicious|delightful|disappointing|dreadful|dull|enchanting|exquisite|fantastic|gorgeous|horrible|incredible|inspiring|lovely|magnificent|marvellous|marvelous|mediocre|overlong|overrated|picturesque|pleasant|spectacular|splendid|stunning|sublime|superb|tasteless|tedious|terrible|terrific|ugly|underrated|unforgettable|wonderful)';
const FINEST = '(?:finest|loveliest|ugliest|prettiest|dullest)';
const NOUN = "(?!-)(?: [\\p{L}’'-]+)";
const IS = '(?:is|are|was|were|remains?|looks?|seems?)';
const ADVERB =
  '(?:(?:also|absolutely|arguably|certainly|completely|deeply|easily|extremely|incredibly|just|perhaps|probably|quite|really|simply|so|too|totally|truly|undoubtedly|utterly|very|without (?:a )?doubt) )*';
const AMONG = '(?:(?:one of|among|some of) )?';
const LEAD = `^[^,;:]* ${IS} ${ADVERB}${AMONG}`;

/** From the first word to the last: what is said of the thing is the judgement and nothing else. */
const OPINIONS = [
  // "is truly stunning", "is boring and overlong"
  new RegExp(`${LEAD}${VALUE}(?:,? (?:and|but|yet) ${ADVERB}${VALUE})*[.!]?$`, 'u'),
  // "is an underrated and brilliant composer", "are the most charming villages in the world"
  new RegExp(
    `${LEAD}(?:(?:the|an?|its|their|this|[\\p{L}]+['’]s) )?${ADVERB}(?:most |least )?${VALUE}(?: and ${VALUE})?${NOUN}{1,9}[.!]?$`,
    'u',
  ),
  new RegExp(`${LEAD}(?:the|its) ${FINEST}${NOUN}{0,9}[.!]?$`, 'u'),
  // "the greatest goalkeeper of all time", but not "the greatest depth of the lake", "the best result ever"
  new RegExp(`${LEAD}the greatest${NOUN}{1,4} of all time[.!]?$`, 'u'),
  // "is a masterpiece", "is a hidden gem"
  new RegExp(
    `${LEAD}(?:an?) (?:(?:\\w+ )?(?:delight|disgrace|joy|masterpiece|must-see|triumph)|(?:hidden|true|real) (?:gem|treasure))(?: (?:for|to) [^,;]+)?[.!]?$`,
    'u',
  ),
  new RegExp(`^(?:It|This|That) ${IS} (?:a (?:great )?(?:shame|pity|disgrace)|sad|regrettable) that `, 'u'),
  new RegExp(
    `^[^,;:]* (?:has|have|had|offers?|boasts?|provides?) ${AMONG}(?:the most |an? |the )?${VALUE}${NOUN}{1,8}[.!]?$`,
    'u',
  ),
  /^(?:Everyone|Everybody|Nobody|No one) should\b/,
  /\bdeserves? (?:far |much |so much )?(?:more|better) \p{L}+ than\b/u,
  /^No \p{L}+ (?:has|have) ever been (?:more|less) (?:moving|beautiful|charming|boring) than\b/u,
];

/** Few, and whole: each may be believed without looking. */
const OBVIOUS = [
  /^(?:The|A) week has (?:seven|7) days\.?$/i,
  /^A year (?:has|consists of|is made up of) (?:twelve|12) months\.?$/i,
  /^There are (?:(?:sixty|60) (?:seconds in a minute|minutes in an hour)|(?:24|twenty-four) hours in a day|(?:seven|7) days in a week|(?:twelve|12) months in a year|(?:100|a hundred|one hundred) (?:years in a century|centimet(?:re|er)s in a met(?:re|er)))\.?$/i,
  /^The sky is blue\.?$/i,
  /^Snow is white\.?$/i,
  /^Water is wet\.?$/i,
  /^Ice is frozen water\.?$/i,
  /^Fire is hot\.?$/i,
  /^The sun (?:rises in the east|sets in the west)\.?$/i,
  /^The Earth (?:orbits|revolves around|goes around) the Sun\.?$/i,
  /^The Moon orbits the Earth\.?$/i,
  /^A triangle has (?:three|3) sides\.?$/i,
  /^A square has (?:four|4) (?:equal )?sides\.?$/i,
  /^(?:Humans|Human beings|People) have two (?:eyes|ears|hands|legs)\.?$/i,
  /^(?:Dogs|Cats|Horses|Cows) are (?:animals|mammals)\.?$/i,
  /^January is the first month of the year\.?$/i,
  /^December is the last month of the year\.?$/i,
  /^(?:Tuesday (?:follows|comes after) Monday|Sunday (?:follows|comes after) Saturday)\.?$/i,
  /^(?:Paris is the capital of France|London is the capital of (?:England|the United Kingdom)|Rome is the capital of Italy|Berlin is the capital of Germany|Madrid is the capital of Spain|Tokyo is the capital of Japan|Moscow is the capital of Russia)\.?$/i,
];
