import { randomBytes } from 'node:crypto';
import { fitsPacked, packText, unpackText } from '../../../workers/source/packed-text.ts';
import { toPage } from '../../../workers/source/page.ts';

/** As long as can be kept, of letters that hardly pack. */
const longest = randomBytes(6 * 1024 ** 2).toString('hex');
const tooLong = longest + longest.slice(0, 2 * 1024 ** 2);

test('a text comes out as it was packed, or as it was kept before texts were', async () => {
  const text = 'Fährschiff — 渡し船 🚢';
  expect(await unpackText(await packText(text))).toBe(text);
  expect(await unpackText(Buffer.from(text))).toBe(text);
});

test('what fits goes into one statement of a MariaDB as it comes: 16 MiB, in which each byte is two digits', async () => {
  expect(await fitsPacked(longest)).toBe(true);
  expect(2 * (await packText(longest)).length).toBeLessThan(15 * 1024 ** 2);
  expect(await fitsPacked(tooLong)).toBe(false);
  await expect(packText(tooLong)).rejects.toMatchObject({ name: 'TextTooLong' });
});

test('a page with a longer text is too large, as a larger file is', async () => {
  const [finalUrl, body] = ['https://ferry.example/a', Buffer.from(tooLong)];
  const came = { kind: 'response', finalUrl, status: 200, contentType: 'text/plain', headers: {}, body } as const;
  expect(await toPage(came, finalUrl, null)).toMatchObject({ kind: 'unavailable', reason: 'too_large' });
});
