/** What templates mean where no wiki was asked. In: names. Out: meanings, by the families that are known (families.ts). */
import { ENGLISH_PARAMETERS, FAMILIES, type Family } from './families.ts';
import type { Meaning, Vocabulary } from './vocabulary.ts';

export const BUNDLED: Vocabulary = {
  meaningOf: (name) => BUNDLED_NAMES.get(name) ?? null,
  parametersOf: () => ENGLISH_PARAMETERS,
};

/** Every title and redirect above, whatever the wiki. The first family that has a name has it. */
const BUNDLED_NAMES: ReadonlyMap<string, Meaning> = new Map(
  FAMILIES.slice()
    .reverse()
    .reduce<[string, Meaning][]>(
      (all, family) => all.concat(namesOf(family).map((name): [string, Meaning] => [name, family.meaning])),
      [],
    ),
);

function namesOf({ titles, redirects }: Family): string[] {
  const named = Object.keys(titles).reduce<string[]>((all, language) => all.concat(titles[language] ?? []), []);
  return named.concat(redirects).map((name) => name.toLowerCase());
}
