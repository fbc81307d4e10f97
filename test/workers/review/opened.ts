/** A page of the review service as a test reads it, and a form as a browser sends it. */
import { parseHTML } from 'linkedom';
import type { SignedIn } from './served.ts';

/** `as`: who asks; null: nobody is signed in. */
export async function openPage(origin: string, path: string, as: SignedIn | null = null) {
  const response = await fetch(`${origin}${path}`, as === null ? {} : { headers: as.headers });
  const text = await response.text();
  const { document } = parseHTML(text);
  const textOf = (selector: string) => document.querySelector(selector)?.textContent.replace(/\s+/g, ' ').trim();
  return { status: response.status, headers: response.headers, text, document, textOf };
}

export function submitForm(url: string, fields: Record<string, string>, headers: Record<string, string>) {
  return fetch(url, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(fields) });
}
