/**
 * A sentence → whether it says nothing but a calculation that anybody can redo from its own figures, and is right. A wrong one
 * needs a look, and figures of anything else a source.
 */

/** Sums, shares, conversions of units, years between dates; the result may be rounded as its digits show. */
export function isRoutineCalculation(text: string): boolean {
  const plain = text
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/(?<=\d),(?=\d{3})/g, '')
    .replace(SPELLED, spellOut);
  return CHECKS.some(([shape, isRight]) => {
    const found = shape.exec(plain);
    return found !== null && isRight(found.slice(1).map((part) => part ?? ''));
  });
}

type Check = [RegExp, (parts: string[]) => boolean];

const N = '(\\d+(?:\\.\\d+)?)';
const IS =
  '(?:is|are|makes?|equals?|=|corresponds? to|is equal to|is equivalent to)(?: (?:about|roughly|approximately|nearly|around))?';
const YEAR = '(\\d{4})';
const DATE = '(\\d{1,2} [a-z]+ \\d{4})';
const PERSON = '(?:someone|anyone|a person|a man|a woman|a child) (?:who was )?born (?:on|in)';

const numbers = (parts: string[]) => parts.map(Number);

const CHECKS: Check[] = [
  [shape(`${N} (\\+|plus|and|-|−|minus|×|x|times|/|÷|divided by) ${N} ${IS} ${N}`), isOperation],
  [shape(`the sum of ${N} and ${N} is ${N}`), ([a = '', b = '', c = '']) => isNear(Number(a) + Number(b), c)],
  [
    shape(`the difference between ${N} and ${N} is ${N}`),
    ([a = '', b = '', c = '']) => isNear(Math.abs(Number(a) - Number(b)), c),
  ],
  [
    shape(`${N} ?(?:percent|per cent|%) of ${N} ${IS} ${N}`),
    ([a = '', b = '', c = '']) => isNear((Number(a) / 100) * Number(b), c),
  ],
  [
    shape(`${N} (?:out )?of ${N}(?: \\p{L}+)? ${IS} ${N} ?(?:percent|per cent|%)`),
    ([a = '', b = '', c = '']) => isNear((100 * Number(a)) / Number(b), c),
  ],
  [
    shape(`(?:from|between) ${YEAR} (?:to|and) ${YEAR} (?:is|are) ${N} years`),
    ([a = '', b = '', c = '']) => isNear(Number(b) - Number(a), c),
  ],
  [
    shape(`${PERSON} ${YEAR} was ${N} or ${N} (?:years old )?in ${YEAR}`),
    (parts) => {
      const [born = 0, low = 0, high = 0, year = 0] = numbers(parts);
      return high === year - born && low === high - 1;
    },
  ],
  [
    shape(`${PERSON} ${DATE} was ${N} (?:years old )?on ${DATE}`),
    ([born = '', age = '', day = '']) => yearsBetween(born, day) === Number(age),
  ],
  [shape(`(?:an? \\p{L}+ of )?${N} ?(\\p{L}+|°[cf]) ${IS} ${N} ?(\\p{L}+|°[cf])`), isConversion],
];

function shape(pattern: string): RegExp {
  return new RegExp(`^${pattern}$`, 'u');
}

function isOperation([a = '', sign = '', b = '', result = '']: string[]): boolean {
  const [left, right] = [Number(a), Number(b)];
  const value: Record<string, number> = { '+': left + right, '-': left - right, '×': left * right, '/': left / right };
  return isNear(value[SIGNS[sign] ?? sign] ?? Number.NaN, result);
}

const SIGNS: Record<string, string> = {
  plus: '+',
  and: '+',
  minus: '-',
  '−': '-',
  times: '×',
  x: '×',
  '÷': '/',
  'divided by': '/',
};

function isConversion([a = '', from = '', b = '', to = '']: string[]): boolean {
  if (from.startsWith('°') || to.startsWith('°')) return from !== to && isNear(toDegrees(Number(a), from), b);
  const [left, right] = [UNITS.get(from), UNITS.get(to)];
  if (left === undefined || right === undefined || from === to || left[0] !== right[0]) return false;
  return isNear((Number(a) * left[1]) / right[1], b);
}

function toDegrees(degrees: number, from: string): number {
  return from === '°c' ? (degrees * 9) / 5 + 32 : ((degrees - 32) * 5) / 9;
}

/** Half of the last digit, and no more than two in a hundred; "4 hectares" for 4.05. */
function isNear(value: number, written: string): boolean {
  const decimals = written.split('.')[1]?.length ?? 0;
  return Math.abs(value - Number(written)) <= Math.min(0.5 * 10 ** -decimals, 0.02 * Math.abs(value)) + 1e-9;
}

function yearsBetween(from: string, to: string): number {
  const [start, end] = [new Date(`${from} UTC`), new Date(`${to} UTC`)];
  const isBefore = end.getUTCMonth() * 31 + end.getUTCDate() < start.getUTCMonth() * 31 + start.getUTCDate();
  return end.getUTCFullYear() - start.getUTCFullYear() - (isBefore ? 1 : 0);
}

/** Names of a unit with its kind and size. */
const UNITS = new Map<string, [string, number]>(
  (
    [
      ['length', 1000, 'km kilometre kilometres kilometer kilometers'],
      ['length', 1, 'm metre metres meter meters'],
      ['length', 0.01, 'cm centimetre centimetres centimeter centimeters'],
      ['length', 1609.344, 'mi mile miles'],
      ['length', 0.3048, 'ft foot feet'],
      ['length', 0.0254, 'in inch inches'],
      ['mass', 1, 'kg kilogram kilograms'],
      ['mass', 0.453_592_37, 'lb lbs pound pounds'],
      ['area', 10_000, 'ha hectare hectares'],
      ['area', 4046.856, 'acre acres'],
      ['time', 1, 'minute minutes'],
      ['time', 60, 'hour hours'],
      ['time', 1440, 'day days'],
    ] satisfies [string, number, string][]
  ).flatMap(([kind, size, names]) => names.split(' ').map((name): [string, [string, number]] => [name, [kind, size]])),
);

const WORDS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const SPELLED = new RegExp(`\\b(?:${WORDS.join('|')})\\b|\\ban hour and a half\\b`, 'g');

function spellOut(word: string): string {
  return word.includes(' ') ? '1.5 hours' : String(WORDS.indexOf(word) + 1);
}
