/** What a person chose for this browser. Storage may be forbidden: then a choice holds for the page. */
export function setting(name) {
  try {
    return localStorage.getItem(`sidelight-${name}`);
  } catch {
    return null;
  }
}

export function keepSetting(name, value) {
  try {
    if (value === null) localStorage.removeItem(`sidelight-${name}`);
    else localStorage.setItem(`sidelight-${name}`, value);
  } catch {
    // it holds for this page
  }
}
