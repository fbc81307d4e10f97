/**
 * Loaded before a worker (`--import`): how much processor time its models' runs take. Answers its parent's message with it. Runs that
 * overlap are counted once; what else the process does meanwhile counts as theirs, which is little: a run holds its only thread.
 */
import { InferenceSession } from 'onnxruntime-node';
import { ASKED } from './asked.ts';

const state = { running: 0, begun: process.cpuUsage(), micros: 0 };
// its type is that of a factory: that it is a class as well is how it is made
const { prototype } = InferenceSession as unknown as { prototype: Pick<InferenceSession, 'run'> };
prototype.run = new Proxy(prototype.run, {
  async apply(run, session: InferenceSession, given) {
    if (state.running === 0) state.begun = process.cpuUsage();
    state.running += 1;
    try {
      return await Reflect.apply(run, session, given);
    } finally {
      state.running -= 1;
      if (state.running === 0) {
        const { user, system } = process.cpuUsage(state.begun);
        state.micros += user + system;
      }
    }
  },
});

process.on('message', (message) => {
  if (message === ASKED) process.send?.({ modelSeconds: state.micros / 1e6 });
});
process.channel?.unref(); // listening to it must not keep the process
