/** A part that waits for ever to begin, as for a Redis that is gone. Out: a message once it does. */
import { serve } from '../../deploy/cli/context.ts';

await serve('waiting', () => {
  setInterval(() => undefined, 60_000);
  process.send?.('beginning');
  return new Promise(() => undefined);
});
