/**
 * Decisions without waiting: a form is sent as a browser would send it, and the next screen is shown at once. What could not be sent
 * comes back with all that was chosen and written.
 */
import { keepLease } from './leases.js';
import { fetchAhead, pageOf, readDocument, renew, screen, show, takeAhead } from './screens.js';
import { maySend, OPENING, turnAfter, whyUnfit } from './turn.js';

let turn = OPENING;
/** Pressed by accident twice, a key must not decide what nobody has read yet. */
const OPENING_MS = 300;
/** Then a person is told, and may send it again. */
const PATIENCE_MS = 20_000;

export function startTriage() {
  if (screen() === null) return;
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!form.matches('#screen form[method=post]') || form.enctype === 'multipart/form-data') return;
    event.preventDefault();
    if (form.matches('[data-decide]')) decide(form, event.submitter);
    else if (form.dataset.once !== 'sent') send(form, event.submitter);
  });
  window.addEventListener('popstate', () => location.reload());
  open();
}

/** A screen is shown: its time begins. */
function open() {
  turn = OPENING;
  const form = decisionForm();
  if (form !== null) form.dataset.step = turn.step;
  keepLease(form, (message) => happen({ type: 'expired', ...(message && { message }) }));
  fetchAhead();
  setTimeout(() => {
    if (decisionForm() === form) happen({ type: 'opened' });
  }, OPENING_MS);
}

function happen(event) {
  turn = turnAfter(turn, event);
  const form = decisionForm();
  if (form === null) return;
  form.dataset.step = turn.step;
  if (turn.why !== '') say(turn.why, turn.step === 'failed' ? null : ['Look at it again', lookAgain]);
}

function decide(form, button) {
  const chosen = form.querySelector('input[name=reason]:checked');
  const { label: reason = '', fits = '' } = chosen?.dataset ?? {};
  const unfit = whyUnfit({ decision: button.value, label: button.dataset.label, reason, fits });
  if (turn.step === 'saving') return say('Still saving the last decision.');
  if (turn.step === 'opening') return say('This finding has only just opened: press once more to decide on it.');
  if (unfit !== '') return say(unfit);
  if (maySend(turn)) send(form, button, button.value === 'skip');
}

/** As a browser would; but what is shown next need not wait for the answer. */
async function send(form, button, withoutReason = false) {
  const body = new URLSearchParams(new FormData(form, button));
  if (withoutReason) body.delete('reason');
  const isDecision = form.matches('[data-decide]');
  form.dataset.once = 'sent';
  happen({ type: 'decided' });
  const left = isDecision ? showNext(button) : null;
  if (left === null) say('Saving…');
  try {
    const response = await fetch(form.action, { method: 'POST', body, signal: AbortSignal.timeout(PATIENCE_MS) });
    if (response.ok) arrive(response.url, await readDocument(response));
    else refuse(await readDocument(response), { left, form, button, isGone: response.status < 500 });
  } catch {
    comeBack(left);
    fail(form, button);
  } finally {
    form.dataset.once = '';
  }
}

/** Null where nothing was fetched ahead: then the screen stays until the answer. */
function showNext(button) {
  const page = takeAhead();
  if (page === null) return null;
  const shown = { ...show(pageOf(page)), scroll: scrollY };
  scrollTo(0, 0);
  keepLease(null);
  note(`Saving “${button.dataset.label}” for the finding before…`);
  const form = decisionForm();
  if (form !== null) form.dataset.step = 'saving';
  return shown;
}

function arrive(address, page) {
  // the list is another kind of page
  if (page.getElementById('screen') === null) return location.assign(address);
  if (!renew(page)) {
    show(pageOf(page));
    scrollTo(0, 0);
  }
  history.pushState(null, '', address);
  const heading = document.querySelector('h1');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
  open();
}

function comeBack(left) {
  if (left === null) return;
  show(left);
  scrollTo(0, left.scroll);
}

/** Sent again, a decision that did arrive is answered as saved. */
function fail(form, button) {
  happen({ type: 'unreachable' });
  say(turn.why || 'The service did not answer.', ['Try again', () => form.requestSubmit(button)]);
}

/** `isGone`: asking the same again would be answered the same. */
function refuse(page, { left, form, button, isGone }) {
  comeBack(left);
  if (!isGone) return fail(form, button);
  const message = page.querySelector('[data-failure]')?.textContent ?? 'The service refused it.';
  happen({ type: 'refused', message });
  say(message, ['Look at it again', lookAgain]);
}

/** The finding as it is now; what was chosen and written stays. */
async function lookAgain() {
  const before = decisionForm();
  try {
    const response = await fetch(screen().dataset.screen);
    show(pageOf(await readDocument(response)));
    restore(before);
    if (screen() !== null) open();
  } catch {
    say('The service did not answer.', ['Look at it again', lookAgain]);
  }
}

function restore(before) {
  const form = decisionForm();
  if (before === null || form === null) return;
  const [from, to] = [before.querySelector('textarea'), form.querySelector('textarea')];
  to.value = from.value;
  to.closest('details').open = from.closest('details').open;
  const reason = before.querySelector('input[name=reason]:checked')?.value ?? '';
  const same = form.querySelector(`input[name=reason][value="${CSS.escape(reason)}"]`);
  if (same !== null) same.checked = true;
}

function decisionForm() {
  return document.querySelector('form[data-decide]');
}

/** Below the buttons where there are any. `offer`: a label and what pressing it does. */
function say(text, offer = null) {
  const place = document.querySelector('[data-status]');
  if (place === null) return note(text, offer);
  place.replaceChildren(text, ...offered(offer));
}

function note(text, offer = null) {
  const line = document.createElement('p');
  line.className = 'notice';
  line.setAttribute('role', 'status');
  line.append(text, ...offered(offer));
  document.getElementById('notices')?.replaceChildren(line);
}

function offered(offer) {
  if (offer === null) return [];
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button';
  button.textContent = offer[0];
  button.addEventListener('click', offer[1]);
  return [' ', button];
}
