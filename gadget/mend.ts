/** Makes edits as the signed-in user, after they were looked at, and waits for their finding to close. Out: actions. */
import { afterPreparing, afterSaving, type Edit, type EditKind } from './editing.ts';
import { prepare, save } from './proposal.ts';
import type { Service } from './service.ts';
import type { SiteConfig } from './site-config.ts';
import { isUnmended } from './state.ts';
import type { Store } from './store.ts';

export interface Mend {
  prepare(id: number, kind: EditKind): Promise<void>;
  save(summary: string): Promise<void>;
  back(): void;
}

export interface MendOptions {
  api: mw.Api;
  service: Service;
  /** Title of the article. */
  page: string;
  store: Store;
  /** Null: not known yet. */
  config(): SiteConfig | null;
}

export function createMend(options: MendOptions): Mend {
  const { api, page, store, config } = options;
  const show = (edit: Edit) => store.dispatch({ type: 'edit', edit });
  return {
    async prepare(id, kind) {
      const row = store.state.rows.filter((one) => one.id === id)[0];
      const known = config();
      if (row === undefined || known === null || isBusy(store.state.edit)) return;
      show({ step: 'preparing', id, kind });
      const language = mw.config.get('wgContentLanguage');
      const prepared = await prepare(api, page, row, kind, { config: known, language });
      show(afterPreparing(id, kind, prepared));
    },
    async save(summary) {
      const { edit } = store.state;
      if (edit.step !== 'preview') return;
      const { id } = edit;
      const proposal = { ...edit.proposal, summary };
      show({ step: 'saving', id, proposal });
      const after = afterSaving(id, proposal.kind, await save(api, proposal));
      show(after);
      if (after.step === 'saved') askUntilClosed(id, ASK_TIMES, options);
    },
    back: () => isBusy(store.state.edit) || show({ step: 'idle' }),
  };
}

function isBusy({ step }: Edit): boolean {
  return step === 'preparing' || step === 'saving';
}

/** A service that does not answer now may do so the next time. */
async function askUntilClosed(id: number, left: number, options: MendOptions): Promise<void> {
  const { service, store } = options;
  if (!store.state.agreed) return;
  const row = await service.finding(id).catch(() => null);
  if (row !== null && !isUnmended(row)) store.dispatch({ type: 'changed', row });
  else if (left > 0) setTimeout(() => askUntilClosed(id, left - 1, options), ASK_EVERY_MS);
}

/** The bot has to see the new revision: about a minute is asked for, then the next visit will tell. */
const ASK_TIMES = 30;
const ASK_EVERY_MS = 2000;
