/** The package brings no types; only what is used here. */
declare module 'sentencex' {
  export function segment(language: string, text: string): string[];
}
