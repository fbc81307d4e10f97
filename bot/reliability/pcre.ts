/**
 * A line of PCRE as blacklists have it → the same expression of JavaScript, or null where JavaScript has none or reads it in
 * another way. Searches nothing.
 */

/** Null for what would mean something else: https://www.pcre.org/current/doc/html/pcre2pattern.html has what there is. */
export function toJavaScript(fragment: string): string | null {
  const expression = fragment.replace(/\(\?i\)/g, '').replace(/\(\?i:/g, '(?:'); // all blacklists ignore case
  if (expression === '' || UNKNOWN.some((syntax) => syntax.test(withoutEscapedBackslashes(expression)))) return null;
  return compiles(expression) && compiles(`(?:${expression})`) ? expression : null;
}

/** So that the `\A` of `\\A` is not taken for an escape. */
function withoutEscapedBackslashes(expression: string): string {
  return expression.replaceAll('\\\\', '__');
}

function compiles(expression: string): boolean {
  try {
    new RegExp(expression, 'i');
    return true;
  } catch {
    return false;
  }
}

const UNKNOWN = [
  /\\[AZzGKQERhHvVNXCpPgklouLUaec0-9]/, // anchors, classes, quoting, references: JavaScript reads most of them as letters
  /\\x\{/,
  /(?<!\\)[*+?}]\+/, // possessive
  /(?<!\\)\(\?[^:=!<]/, // atomic, conditional, recursive, commented, other options
  /(?<!\\)\(\?<[^=!]/, // a named group, of which a joined expression may have one only
  /(?<!\\)\(\*/, // verbs
  /\[\[?[:.=]\w+[:.=]\]/, // POSIX classes
  /(?<!\\)\[\^?\]/, // a class that begins with its own bracket
];
