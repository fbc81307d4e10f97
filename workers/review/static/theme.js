/** Colours that a person chose for this browser; without a choice the system's. Loaded before the page is drawn, so no module. */
{
  let theme = null;
  try {
    theme = localStorage.getItem('sidelight-theme');
  } catch {
    // storage may be forbidden: then the system's colours stay
  }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
}
