/** A key press → the key that it asks for, or null where it asks for nothing. Pure: what a key does is on the page (`data-key`). */

/**
 * @param press what a KeyboardEvent says of itself
 * @param at `target`: the element that has the focus; `isDialogOpen`; `singleKeys`: whether the person wants them
 */
export function keyOf(press, { target, isDialogOpen, singleKeys }) {
  if (press.defaultPrevented || press.repeat || press.isComposing) return null;
  if (press.ctrlKey || press.metaKey || press.altKey) return null;
  if (!singleKeys || isDialogOpen || isTypedInto(target)) return null;
  return press.key.length === 1 ? press.key.toLowerCase() : null;
}

/** Letters belong to what is typed, and to a list of choices, which they search. */
export function isTypedInto({ localName, type, isContentEditable }) {
  if (isContentEditable || localName === 'textarea' || localName === 'select') return true;
  return localName === 'input' && !['radio', 'checkbox', 'button', 'submit', 'reset'].includes(type);
}
