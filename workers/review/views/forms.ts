/** Small pieces of forms. Every piece escapes what it is given. */
import { html } from 'ghtml';

/** A form of one button. `of`: what it is about, for who hears the page. */
export function button(action: string, name: string, of: string, csrf: string): string {
  return html`<form method="post" action="${action}">!${hidden('_csrf', csrf)}<button class="button" type="submit">${name}<span class="visually-hidden"> ${of}</span></button></form>`;
}

export function hidden(name: string, value: string): string {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}
