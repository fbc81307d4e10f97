/** Starts a server on a port that is free: again on another one, should somebody have been quicker. */
import { freePort } from '../../deploy/servers/port.ts';
import { RefuseToStart } from '../../shared/errors.ts';

export async function onFreePort<T>(start: (port: number) => Promise<T>, attempts = 5): Promise<T> {
  try {
    return await start(await freePort());
  } catch (error) {
    if (attempts <= 1 || !(error instanceof RefuseToStart)) throw error;
    return onFreePort(start, attempts - 1);
  }
}
