/** JSON text → a value for a schema to judge. */

/** undefined for what is no JSON, which no schema takes. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
