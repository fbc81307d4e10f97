/**
 * Whether this person agreed that the service is asked: kept with the account, or with the browser where there is none. It holds
 * for one origin: another one is asked for anew.
 */

export interface Consent {
  isGiven(): boolean;
  /** False: it could not be kept, and holds until the page is left. */
  give(): Promise<boolean>;
  withdraw(): Promise<boolean>;
  /** `changed`: in another tab of this browser. */
  watch(changed: () => void): void;
}

export function createConsent(api: mw.Api, origin: string): Consent {
  const place = isNamed() ? inAccount(api) : IN_BROWSER;
  let isGiven = place.read() === origin;
  const set = async (wanted: boolean) => {
    isGiven = wanted;
    const isKept = await place.keep(wanted ? origin : null);
    mw.storage.set(TOLD, `${wanted ? origin : ''} ${Date.now()}`);
    return isKept;
  };
  return {
    isGiven: () => isGiven,
    give: () => set(true),
    withdraw: () => set(false),
    watch(changed) {
      window.addEventListener('storage', ({ key, newValue }) => {
        if (key !== TOLD || newValue === null) return;
        isGiven = newValue.split(' ')[0] === origin;
        changed();
      });
    },
  };
}

interface Place {
  read(): unknown;
  /** Null: nothing is kept any more. False: it could not be. */
  keep(origin: string | null): Promise<boolean>;
}

/** Temporary accounts have no preferences. */
function isNamed(): boolean {
  return mw.config.get('wgUserName') !== null && !mw.config.get('wgUserIsTemp');
}

function inAccount(api: mw.Api): Place {
  return {
    read: () => mw.user.options.get(OPTION),
    async keep(origin) {
      mw.user.options.set(OPTION, origin);
      return new Promise((resolve) => {
        api.saveOption(OPTION, origin).then(
          () => resolve(true),
          () => resolve(false),
        );
      });
    },
  };
}

const KEY = 'sidelight-consent';
const IN_BROWSER: Place = {
  read: () => mw.storage.get(KEY),
  keep: async (origin) => (origin === null ? mw.storage.remove(KEY) : mw.storage.set(KEY, origin)),
};

const OPTION = 'userjs-sidelight';
/** By which other tabs hear of it, also those of an account. */
const TOLD = 'sidelight-consent-told';
