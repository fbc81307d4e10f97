import { isTypedInto, keyOf } from '../../../workers/review/static/keys.js';
import {
  isToRenew,
  maySend,
  OPENING,
  type TurnEvent,
  turnAfter,
  whyUnfit,
} from '../../../workers/review/static/turn.js';

const onPage = { target: { localName: 'body' }, isDialogOpen: false, singleKeys: true };

describe('a key', () => {
  test('asks for itself, in capitals too: Caps Lock is no other key', () => {
    expect(keyOf({ key: 'a' }, onPage)).toBe('a');
    expect(keyOf({ key: 'A' }, onPage)).toBe('a');
    expect(keyOf({ key: '?' }, onPage)).toBe('?');
  });

  test.each(['repeat', 'ctrlKey', 'metaKey', 'altKey', 'isComposing', 'defaultPrevented'])(
    'asks for nothing with %s',
    (sign) => {
      expect(keyOf({ key: 'a', [sign]: true }, onPage)).toBeNull();
    },
  );

  test('that has a name, as Enter and Tab, is left to the browser', () => {
    for (const key of ['Enter', 'Tab', 'Escape', 'ArrowDown', 'F5']) expect(keyOf({ key }, onPage)).toBeNull();
  });

  test('asks for nothing while a dialog is open, while one types, and where single keys are switched off', () => {
    expect(keyOf({ key: 'a' }, { ...onPage, isDialogOpen: true })).toBeNull();
    expect(keyOf({ key: 'a' }, { ...onPage, singleKeys: false })).toBeNull();
    for (const target of [
      { localName: 'textarea' },
      { localName: 'input', type: 'search' },
      { localName: 'input', type: 'text' },
      { localName: 'select' },
      { localName: 'div', isContentEditable: true },
    ]) {
      expect(keyOf({ key: 'a' }, { ...onPage, target })).toBeNull();
    }
  });

  test('works on a reason that was chosen: nothing is typed into it', () => {
    expect(isTypedInto({ localName: 'input', type: 'radio' })).toBe(false);
    expect(isTypedInto({ localName: 'button' })).toBe(false);
  });
});

describe('a turn', () => {
  const turnOf = (...events: TurnEvent[]) => events.reduce(turnAfter, OPENING).step;

  test('a decision is sent once, and only of a screen that was there for a moment', () => {
    expect(turnOf({ type: 'decided' })).toBe('opening');
    expect(turnOf({ type: 'opened' }, { type: 'decided' })).toBe('saving');
    expect(turnOf({ type: 'opened' }, { type: 'decided' }, { type: 'decided' })).toBe('saving');
    expect(maySend({ step: 'saving', why: '' })).toBe(false);
  });

  test('what was not answered may be sent again, what was refused may not', () => {
    const sent = [{ type: 'opened' }, { type: 'decided' }] as const;
    expect(turnOf(...sent, { type: 'unreachable' }, { type: 'decided' })).toBe('saving');
    expect(turnOf(...sent, { type: 'refused', message: 'Bob decided.' }, { type: 'decided' })).toBe('refused');
  });

  test('that ran out decides nothing; what is on its way, or not known to have arrived, is left to the service', () => {
    expect(turnOf({ type: 'opened' }, { type: 'expired' }, { type: 'decided' })).toBe('over');
    const sent = [{ type: 'opened' }, { type: 'decided' }] as const;
    expect(turnOf(...sent, { type: 'expired' })).toBe('saving');
    expect(turnOf(...sent, { type: 'unreachable' }, { type: 'expired' })).toBe('failed');
  });

  test('goes on while its screen is in use, asked for when half of it is gone', () => {
    expect(isToRenew({ lasts: 600, left: 301, usedSince: true })).toBe(false);
    expect(isToRenew({ lasts: 600, left: 299, usedSince: true })).toBe(true);
    expect(isToRenew({ lasts: 600, left: 299, usedSince: false })).toBe(false);
  });
});

test('a reason that does not fit is named, none fits all, and a skip has no reason', () => {
  const choice = { decision: 'reject', label: 'Reject', reason: 'Source silent', fits: 'accept' };
  expect(whyUnfit(choice)).toContain('“Source silent” does not go with “Reject”');
  expect(whyUnfit({ ...choice, fits: 'reject cant_tell' })).toBe('');
  expect(whyUnfit({ ...choice, reason: '', fits: '' })).toBe('');
  expect(whyUnfit({ ...choice, decision: 'skip' })).toBe('');
});
