/** All keys, and whether single keys do anything in this browser. A dialog that scripts open: without them there are no keys. */
import { html } from 'ghtml';

export function helpDialog(): string {
  return html`
<dialog id="help" class="help" aria-labelledby="help-title">
<div class="help-head"><h2 id="help-title">Keys</h2><form method="dialog"><button class="button" type="submit">Close</button></form></div>
!${groups}
<p><label><input type="checkbox" id="single-keys" checked> Single keys do something</label><br>
<span class="quiet">Switch them off if you dictate, or press keys by accident. Kept in this browser. Buttons and links work either way.</span></p>
</dialog>`;
}

const GROUPS = [
  [
    'Decide',
    [
      ['a', 'Accept'],
      ['r', 'Reject'],
      ['c', 'Can’t tell'],
      ['s', 'Skip'],
      ['u', 'Undo the last decision'],
    ],
  ],
  [
    'Say why, before you decide',
    [
      ['1', 'Source disagrees'],
      ['2', 'Source silent'],
      ['3', 'Partly supported'],
      ['4', 'Source can’t be read'],
      ['5', 'Claim reworded'],
      ['0', 'No reason'],
      ['n', 'Write a note; Esc leads out of it'],
    ],
  ],
  [
    'Look',
    [
      ['j', 'Next finding'],
      ['k', 'Previous finding'],
      ['o', 'Open the source'],
      ['e', 'Open the article'],
      ['f', 'Back to the list'],
      ['?', 'These keys'],
    ],
  ],
] as const;

const groups = GROUPS.map(
  ([title, keys]) =>
    html`<h3>${title}</h3><dl class="help-keys">!${keys.map(([key, does]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${does}</dd></div>`)}</dl>`,
).join('');
