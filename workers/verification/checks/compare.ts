/** Two quantities → whether both can be true of one thing. */
import type { Quantity } from './quantities.ts';

/** Values that one editor would write for the other: rounded, approximate, converted, inside a range, on the right side of a bound. */
export function compatible(a: Quantity, b: Quantity): boolean {
  if (a.dimension !== b.dimension) return false;
  if (a.dimension === 'money' && a.unit !== b.unit) return a.written !== b.written;
  const slack = slackOf(a, b);
  if (a.isRange && b.isRange) return close(a.low, b.low, slack) && close(a.high, b.high, slack);
  const [lowA, highA] = intervalOf(a, b);
  const [lowB, highB] = intervalOf(b, a);
  return lowA - slack <= highB && lowB - slack <= highA;
}

/** The same numeral with another unit, and not the same thing: 12 km and 12 miles. */
export function onlyUnitDiffers(a: Quantity, b: Quantity): boolean {
  return (
    a.unit !== b.unit &&
    a.written === b.written &&
    !a.isRange &&
    !b.isRange &&
    !(a.dimension !== 'money' && compatible(a, b))
  );
}

function close(a: number, b: number, slack: number): boolean {
  return Math.abs(a - b) <= slack;
}

/** "Over 40" is said of 43, hardly of 400; two bounds of one kind are compared as they stand. */
function intervalOf(quantity: Quantity, other: Quantity): [number, number] {
  const { low, high, bound } = quantity;
  if (other.bound === bound) return [low, high];
  if (bound === 'over') return [low, high * 2];
  return bound === 'under' ? [low / 3, high] : [low, high];
}

function slackOf(a: Quantity, b: Quantity): number {
  const size = Math.max(Math.abs(a.low), Math.abs(b.low));
  const exact = size * 1e-9 + Math.max(a.rounding, b.rounding);
  const converted = a.unit === b.unit || a.dimension === 'temperature' ? 0 : size * 0.04;
  const loose = a.bound === 'about' || b.bound === 'about' ? size * 0.1 : 0;
  return Math.max(exact, converted, loose, a.dimension === 'temperature' ? 0.6 : 0);
}
