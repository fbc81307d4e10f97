/** One pino logger a process. Logs go to stderr, so that stdout stays a command's answer. */
import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

export function createLogger(level: string, name: string): Logger {
  // not pino's own destination: at exit it writes again and again, for ever, where the reader of the log is gone
  process.stderr.on('error', () => undefined);
  return pino({ level, name, base: { pid: process.pid } }, process.stderr);
}
