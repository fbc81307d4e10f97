/** One pino logger a process. Logs go to stderr, so that stdout stays a command's answer. */
import { destination, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

export function createLogger(level: string, name: string): Logger {
  return pino({ level, name, base: { pid: process.pid } }, destination(2));
}
