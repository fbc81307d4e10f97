/**
 * The screen of one finding, fetched and shown without loading a page. What is fetched ahead takes no lease. In: addresses and answers.
 * Out: the same document that a browser would have shown.
 */

/** Documents by address. */
const ahead = new Map();

export function screen() {
  return document.getElementById('screen');
}

/** Fetches what the screen says comes next; forgets what does not. */
export function fetchAhead() {
  const addresses = (screen()?.dataset.ahead ?? '').split(' ').filter((address) => address !== '');
  for (const known of ahead.keys()) if (!addresses.includes(known)) ahead.delete(known);
  for (const address of addresses) if (!ahead.has(address)) fetchOne(address);
}

async function fetchOne(address) {
  ahead.set(address, null);
  try {
    const response = await fetch(address, { headers: { 'x-purpose': 'prefetch' } });
    if (response.ok && ahead.has(address)) ahead.set(address, await readDocument(response));
  } catch {
    // it is fetched when it is needed
    ahead.delete(address);
  }
}

/** The first one that is there; null for none. It is given once. */
export function takeAhead() {
  for (const [address, page] of ahead) {
    if (page === null) continue;
    ahead.delete(address);
    return page;
  }
  return null;
}

export async function readDocument(response) {
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}

/** Shows a document; gives back what was shown, to be shown again. */
export function show({ title, main }) {
  const shown = { title: document.title, main: document.getElementById('main') };
  document.title = title;
  shown.main.replaceWith(document.adoptNode(main));
  reveal();
  return shown;
}

export function pageOf(page) {
  return { title: page.title, main: page.getElementById('main') };
}

/** What depends on the answer alone: the reader's place and marks stay. False where another screen is shown. */
export function renew(page) {
  const next = page.getElementById('screen');
  const shown = screen();
  if (next === null || shown?.dataset.screen !== next.dataset.screen) return false;
  shown.dataset.ahead = next.dataset.ahead;
  for (const part of ['#notices', '.steps', '#deciding']) {
    const [old, fresh] = [shown.querySelector(part), next.querySelector(part)];
    if (old !== null && fresh !== null) old.replaceWith(document.adoptNode(fresh));
  }
  reveal();
  return true;
}

/** What does something with scripts alone. */
export function reveal() {
  for (const opener of document.querySelectorAll('[data-opens]')) opener.hidden = false;
}
