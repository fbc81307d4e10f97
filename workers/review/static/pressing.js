/** Keys press buttons and follow links that are on the page: everything can be done without them. */
import { keyOf } from './keys.js';
import { keepSetting, setting } from './settings.js';

export function listenToKeys() {
  let singleKeys = setting('keys') !== 'off';
  showHints(singleKeys);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') leaveNote(event.target);
    const isDialogOpen = document.querySelector('dialog[open]') !== null;
    const key = keyOf(event, { target: event.target, isDialogOpen, singleKeys });
    if (key !== null && press(key)) event.preventDefault();
  });
  document.addEventListener('change', ({ target }) => {
    if (target.id !== 'single-keys') return;
    singleKeys = target.checked;
    keepSetting('keys', singleKeys ? null : 'off');
    showHints(singleKeys);
  });
  document.addEventListener('click', ({ target }) => {
    const opener = target.closest('[data-opens]');
    if (opener !== null) openDialog(opener.dataset.opens);
  });
}

/** Also on screens that come later. */
function showHints(singleKeys) {
  document.documentElement.dataset.keys = singleKeys ? 'on' : 'off';
}

function press(key) {
  const target = document.querySelector(`[data-key="${CSS.escape(key)}"]`) ?? stopFor(key);
  if (target === null) return false;
  if (target.matches('[data-stop]')) target.focus();
  else if (target.matches('input[type=radio]')) choose(target);
  else if (target.matches('summary')) openNote(target);
  else target.click();
  return true;
}

/** A second press takes the choice back. */
function choose(radio) {
  const none = radio.form?.querySelector(`input[name="${radio.name}"][value=""]`);
  const chosen = radio.checked && none ? none : radio;
  chosen.checked = true;
  chosen.focus();
}

function openNote(summary) {
  summary.parentElement.open = true;
  summary.parentElement.querySelector('textarea')?.focus();
}

/** So that keys do something again. */
function leaveNote(target) {
  if (target.matches('.note textarea')) target.blur();
}

function openDialog(id) {
  const dialog = document.getElementById(id);
  const box = dialog.querySelector('#single-keys');
  if (box !== null) box.checked = document.documentElement.dataset.keys === 'on';
  dialog.showModal();
}

/** On the list j and k walk from claim to claim. */
function stopFor(key) {
  const step = { j: 1, k: -1 }[key];
  const stops = [...document.querySelectorAll('[data-stop]')];
  if (step === undefined || stops.length === 0) return null;
  const next = stops.indexOf(document.activeElement) + step;
  return stops[Math.min(Math.max(next, 0), stops.length - 1)];
}
