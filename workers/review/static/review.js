/**
 * Keys for people who triage all day. The page works without it: every key presses a button or follows a link that is there.
 */
document.addEventListener('keydown', (event) => {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const target = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`) ?? stopFor(event.key);
  if (target === null) return;
  event.preventDefault();
  if (target.matches('[data-stop]')) target.focus();
  else target.click();
});

/** A second press must not decide the next finding, nor this one twice. */
for (const form of document.querySelectorAll('form[data-once]')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.once === 'sent') event.preventDefault();
    form.dataset.once = 'sent';
  });
  window.addEventListener('pageshow', () => {
    form.dataset.once = '';
  });
}

/** On the list j and k walk from claim to claim. */
function stopFor(key) {
  const step = { j: 1, k: -1 }[key];
  const stops = [...document.querySelectorAll('[data-stop]')];
  if (step === undefined || stops.length === 0) return null;
  const next = stops.indexOf(document.activeElement) + step;
  return stops[Math.min(Math.max(next, 0), stops.length - 1)];
}

function isTyping(element) {
  return element.matches('input, select, textarea');
}
