/** What a command answers, on stdout: text as it is, anything else as one JSON object. */
export function print(answer: unknown): void {
  process.stdout.write(`${typeof answer === 'string' ? answer : JSON.stringify(answer)}\n`);
}
