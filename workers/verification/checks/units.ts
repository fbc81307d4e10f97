/** Names and signs of units → what they measure and how much of the base unit they are. Currencies have no rates: they never convert. */

export interface Unit {
  /** Canonical name: `km`, `usd`, `%`. */
  name: string;
  /** Values of one dimension can be compared. */
  dimension: string;
  /** Base units in one. */
  factor: number;
  /** Base units at zero: degrees Fahrenheit. */
  offset: number;
}

/** Null where `sign` is no unit. Case counts only where two signs differ by it. */
export function unitOf(sign: string): Unit | null {
  const tidy = sign.replace(/[\s\u00a0-]+/g, ' ');
  return UNITS.get(tidy) ?? UNITS.get(tidy.toLowerCase()) ?? null;
}

/** `dimension factor name [offset]: signs and words, parted by commas`. */
const LINES = `
length 1 m: m, metre, metres, meter, meters
length 1000 km: km, kilometre, kilometres, kilometer, kilometers
length 0.01 cm: cm, centimetre, centimetres, centimeter, centimeters
length 0.001 mm: mm, millimetre, millimetres, millimeter, millimeters
length 1609.344 mile: mi, mile, miles
length 0.3048 ft: ft, foot, feet
length 0.0254 inch: inch, inches
length 0.9144 yard: yd, yard, yards
length 1852 nautical_mile: nautical mile, nautical miles, nmi
area 1 m2: m2, m², sq m, square metre, square metres, square meter, square meters
area 1000000 km2: km2, km², sq km, square kilometre, square kilometres, square kilometer, square kilometers
area 10000 hectare: ha, hectare, hectares
area 4046.856 acre: acre, acres
area 2589988 square_mile: sq mi, sq mile, sq miles, square mile, square miles
area 0.09290304 square_foot: sq ft, square foot, square feet
volume 1 m3: m3, m³, cubic metre, cubic metres, cubic meter, cubic meters
volume 0.001 litre: litre, litres, liter, liters
volume 0.02831685 cubic_foot: cubic foot, cubic feet
volume 0.003785412 gallon: gallon, gallons
mass 1 kg: kg, kilogram, kilograms, kilogramme, kilogrammes
mass 0.001 gram: gram, grams, gramme, grammes
mass 0.000001 mg: mg, milligram, milligrams
mass 1000 tonne: tonne, tonnes, metric ton, metric tons, ton, tons
mass 0.45359237 pound: lb, lbs, pound, pounds
mass 0.02834952 ounce: oz, ounce, ounces
speed 1 km/h: km/h, kmh, kph, kilometres per hour, kilometers per hour, kilometres an hour, kilometers an hour
speed 1.609344 mph: mph, miles per hour, miles an hour
speed 1.852 knot: knot, knots
temperature 1 celsius: °C, ° C, degrees Celsius, degrees celsius
temperature 0.5555555555555556 fahrenheit -17.77777777777778: °F, ° F, degrees Fahrenheit, degrees fahrenheit
power 1 watt: watt, watts
power 1000 kilowatt: kW, kilowatt, kilowatts
power 1000000 megawatt: MW, megawatt, megawatts
data 1 megabyte: MB, megabyte, megabytes
data 1000 gigabyte: GB, gigabyte, gigabytes
duration 1 second: sec, secs, seconds
duration 60 minute: min, mins, minute, minutes
duration 3600 hour: h, hr, hrs, hour, hours
duration 86400 day: day, days
duration 604800 week: week, weeks
duration 2629800 month: month, months
duration 31557600 year: year, years, yr, yrs
age 1 year_old: year old, years old, year olds
share 1 %: %, per cent, percent
points 1 point: percentage point, percentage points
money 1 usd: $, US$, USD, dollar, dollars, U.S. dollars, US dollars
money 1 gbp: £, GBP
money 1 eur: €, EUR, euro, euros
money 1 jpy: ¥, JPY, yen
money 1 inr: ₹, INR, rupee, rupees
money 1 cad: C$, CA$, CAD
money 1 aud: A$, AU$, AUD
money 1 chf: CHF, franc, francs
money 1 crown: crown, crowns
money 1 krona: krona, kronor, krone, kroner
money 1 rub: rouble, roubles, ruble, rubles`;

const UNITS = new Map<string, Unit>(LINES.trim().split('\n').flatMap(readLine));

/** What can stand behind a number, the longest first: a part of a pattern. */
export const UNIT_SIGNS = [...UNITS.keys()]
  .sort((a, b) => b.length - a.length)
  .map((sign) => sign.replace(/[.$/]/g, '\\$&').replace(/ /g, '[ \\u00a0-]'))
  .join('|');

function readLine(line: string): [string, Unit][] {
  const [head = '', signs = ''] = line.split(': ');
  const [dimension = '', factor = '1', name = '', offset = '0'] = head.split(' ');
  const unit = { name, dimension, factor: Number(factor), offset: Number(offset) };
  return signs.split(', ').map((sign) => [sign, unit]);
}
