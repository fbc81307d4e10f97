/** What the gadget says in six languages: no key is left out, and none says another number of things than English does. */
import { createMessages } from '../../gadget/messages.ts';

test('one claim is not many', () => {
  const say = createMessages('en');
  expect([say('coverage', 0, 1), say('coverage', 3, 1200)]).toEqual([
    '0 of 1 claim checked',
    '3 of 1,200 claims checked',
  ]);
});
