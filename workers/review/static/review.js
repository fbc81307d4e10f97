/** What every page does with scripts. It works without them: every key presses a button or follows a link that is there. */
import { offerColours } from './colours.js';
import { listenToKeys } from './pressing.js';
import { reveal } from './screens.js';
import { startTriage } from './triage.js';

offerColours();
listenToKeys();
reveal();
startTriage();

/** A second press must not send a form twice. */
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (event.defaultPrevented || !form.matches('form[data-once]')) return;
  if (form.dataset.once === 'sent') event.preventDefault();
  form.dataset.once = 'sent';
});
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-once]')) form.dataset.once = '';
});
