/** Keeps a finding while its screen is in use, and tells when it is kept no longer. In: a form that says for how long. */
import { isToRenew } from './turn.js';

let lease = null;

/** `onOver`: called once, with the service's words or none. A form without a lease ends the one before. */
export function keepLease(form, onOver) {
  if (lease !== null) clearTimeout(lease.timer);
  lease = null;
  const lasts = Number(form?.dataset.lasts ?? '');
  if (lasts <= 0) return;
  lease = { id: form.dataset.decide, lasts, used: false, renewing: false, onOver };
  begin(lease, lasts);
}

for (const sign of ['keydown', 'pointerdown', 'pointermove', 'wheel']) {
  document.addEventListener(sign, use, { passive: true, capture: true });
}

function begin(current, lasts) {
  clearTimeout(current.timer);
  current.ends = performance.now() + lasts;
  current.timer = setTimeout(() => end(current), lasts);
}

function end(current, message) {
  if (lease !== current) return;
  clearTimeout(current.timer);
  lease = null;
  current.onOver(message);
}

async function use() {
  const current = lease;
  if (current === null || current.renewing) return;
  const left = current.ends - performance.now();
  if (!isToRenew({ lasts: current.lasts, left, usedSince: true })) return;
  current.renewing = true;
  try {
    const response = await fetch(`/api/findings/${current.id}/lease`, { method: 'POST', headers: token() });
    if (response.ok) begin(current, current.lasts);
    else if (response.status < 500) end(current, (await response.json()).message);
  } catch {
    // not reached: asked again at the next sign of use, until the time is over
  } finally {
    current.renewing = false;
  }
}

function token() {
  return { 'x-csrf-token': document.querySelector('meta[name=csrf-token]')?.content ?? '' };
}
