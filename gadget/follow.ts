/**
 * Follows one check until it ends: by the service's events, and by asking where these don't come (a proxy that holds them
 * back, a service that was restarted). In: the service, a check's id. Out: each state it was heard in.
 */
import { type Check, hasEnded } from './check.ts';
import { type Service, ServiceError } from './service.ts';

export interface Listener {
  heard(check: Check): void;
  /** The service does not answer; it is asked again. */
  lost(): void;
  /** The service does not know the check. */
  forgotten(): void;
}

/** Returns what ends it. */
export function follow(service: Service, id: string, { heard, lost, forgotten }: Listener): () => void {
  const events = new EventSource(service.eventsUrl(id));
  let timer = 0;
  let failures = 0;
  let isOver = false;
  const end = () => {
    isOver = true;
    clearTimeout(timer);
    events.close();
  };
  const askIn = (ms: number) => {
    clearTimeout(timer);
    if (!isOver) timer = window.setTimeout(ask, ms);
  };
  const hear = (check: Check, nextMs: number) => {
    if (isOver) return;
    failures = 0;
    if (hasEnded({ check })) end();
    else askIn(nextMs);
    heard(check);
  };
  const fail = (error: unknown) => {
    if (isOver) return;
    if (error instanceof ServiceError && error.status === NOT_FOUND) {
      end();
      return forgotten();
    }
    failures++;
    lost();
    askIn(Math.min(ASK_MS * 2 ** failures, SELDOM_MS));
  };
  const ask = () => service.check(id).then((check) => hear(check, isOpen(events) ? QUIET_MS : ASK_MS), fail);
  // its data is the service's own `Check`, as the answer to `check` is
  events.addEventListener('check', ({ data }: MessageEvent<string>) => hear(JSON.parse(data) as Check, QUIET_MS));
  events.addEventListener('error', () => failures === 0 && askIn(0));
  askIn(QUIET_MS);
  return end;
}

function isOpen({ readyState }: EventSource): boolean {
  return readyState === EventSource.OPEN;
}

const NOT_FOUND = 404;
const ASK_MS = 2000;
/** Without an event. */
const QUIET_MS = 10_000;
const SELDOM_MS = 30_000;
