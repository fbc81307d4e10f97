/** What is English in articles: words that sentences begin with, and what is shown of templates that a wiki lacks. */

/** Cleanup tags as text, pasted from a rendered page: a regular expression. */
export const PASTED_TAGS = String.raw`\[(?:(?:citation|verification|clarification|page|better source) needed|failed verification)\]`;

/** Parameters of a citation template in the order in which a missing one is shown. */
export const SHOWN_PARAMETERS: readonly string[] = [
  ...['author', 'last', 'last1', 'first', 'first1', 'chapter', 'title', 'journal', 'work', 'newspaper', 'website'],
  ...['publisher', 'date', 'year', 'volume', 'issue', 'page', 'pages', 'isbn'],
];

/** The parameter that a reader sees of templates that only dress a text. */
export const VISIBLE_PARAMETERS: ReadonlyMap<string, string> = new Map([
  ['nowrap', '1'],
  ['nobr', '1'],
  ['small', '1'],
  ['flag', '1'],
  ['abbr', '1'],
  ['lang', '2'],
  ['circa', '1'],
]);

/** Words that begin a clause: what follows a marker in mid-sentence can be checked by itself. */
export const CLAUSE_OPENERS =
  /^(and|but|yet|so|while|whilst|although|though|whereas|which|who|whose|whom|where|when|because|since|until|before|after|as|with|having|despite|including)\b/i;

/** Words that begin a sentence which goes on from the one before. */
export const LEANING_OPENERS =
  /^(he|she|it|they|his|her|its|their|this|these|that|those|such|both|another|others?|there|(some|most|many|one) of|of (these|those)|the (former|latter|same|other|remaining|rest)|however|nonetheless|nevertheless|moreover|furthermore|additionally|also|then|later|afterwards|subsequently|instead|thus|therefore|hence|consequently|meanwhile|similarly|likewise|although|but|and|yet|despite|as a result|in (addition|response|contrast))\b/i;
