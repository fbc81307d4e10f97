/** A choice of light or dark in the page's head. It takes a script to keep it, so a script makes it. */
import { keepSetting, setting } from './settings.js';

const CHOICES = { '': 'As the system', light: 'Light', dark: 'Dark' };

export function offerColours() {
  const header = document.querySelector('.site-header');
  if (header === null) return;
  const select = document.createElement('select');
  select.className = 'colours';
  select.setAttribute('aria-label', 'Colours');
  for (const [value, label] of Object.entries(CHOICES)) select.append(new Option(label, value));
  select.value = setting('theme') ?? '';
  select.addEventListener('change', () => {
    keepSetting('theme', select.value || null);
    document.documentElement.dataset.theme = select.value;
  });
  header.append(select);
}
