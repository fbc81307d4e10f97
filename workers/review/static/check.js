/**
 * Shows a check as it goes on: whenever the service tells of a change, the live parts are taken anew from the same page. When it is over
 * the whole page is. Without this script the page comes again every few seconds.
 */
const AGAIN_MS = 2000;
const check = document.querySelector('[data-check]');
if (check !== null) follow(check.dataset.check);

function follow(id) {
  const events = new EventSource(`/api/checks/${encodeURIComponent(id)}/events`);
  let isAsking = false;
  let isOver = false;
  let isChanged = false;
  events.addEventListener('check', (event) => {
    isOver = ['done', 'failed', 'cancelled'].includes(JSON.parse(event.data).state);
    isChanged = true;
    if (isOver) events.close();
    show();
  });
  events.addEventListener('error', () => {
    // cut, it comes back by itself; refused by a service or proxy that is being restarted, it would not
    if (events.readyState === EventSource.CLOSED && !isOver) setTimeout(follow, AGAIN_MS, id);
  });

  async function show() {
    if (isAsking) return;
    isAsking = true;
    while (isChanged) {
      isChanged = false;
      if (isOver) location.reload();
      else await takeLiveParts().catch(() => undefined); // the service is away for a moment: the next event brings it
    }
    isAsking = false;
  }
}

async function takeLiveParts() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const part of document.querySelectorAll('[data-live]')) {
    const now = page.querySelector(`[data-live="${part.dataset.live}"]`);
    if (now !== null) replace(part, now);
  }
}

/** A part that has the focus is left as it is, or the focus would be lost; what a screen reader is told stays the same element. */
function replace(part, now) {
  if (part.innerHTML === now.innerHTML) return;
  const status = part.querySelector('[role="status"]');
  const told = now.querySelector('[role="status"]');
  if (status !== null && told !== null) {
    if (status.textContent !== told.textContent) status.replaceChildren(...told.childNodes);
    told.replaceWith(status);
  }
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  const again = focused?.closest('form')?.getAttribute('action') ?? focused?.getAttribute('href');
  part.replaceChildren(...now.childNodes);
  if (again == null) return;
  const there = part.querySelector(`form[action="${CSS.escape(again)}"] button, a[href="${CSS.escape(again)}"]`);
  there?.focus({ preventScroll: true });
}
