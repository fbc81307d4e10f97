/** Where the state is while the page is open. */
import { type Action, reduce, type State } from './state.ts';

export interface Store {
  readonly state: State;
  dispatch(action: Action): void;
}

/** `changed` is called with the state that was, after each action that changed it. */
export function createStore(first: State, changed: (before: State) => void): Store {
  let state = first;
  return {
    get state() {
      return state;
    },
    dispatch(action) {
      const before = state;
      state = reduce(state, action);
      if (state !== before) changed(before);
    },
  };
}
