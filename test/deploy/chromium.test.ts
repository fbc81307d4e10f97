import { createServer } from 'node:http';
import { launchChromium } from '../support/chromium.ts';
import { describeWith } from '../support/describe-with.ts';
import { onFreePort } from '../support/port.ts';

describeWith(['chromium'], 'the browser of the tests', () => {
  test('shows a page of this machine', async () => {
    const server = createServer((_, response) => response.end('<title>Low water</title>'));
    const origin = await onFreePort(async (port) => {
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
      return `http://127.0.0.1:${port}`;
    });
    const browser = await launchChromium();
    const page = await browser.newPage();
    await page.goto(origin);
    expect(await page.title()).toBe('Low water');
    await browser.close();
    await new Promise((resolve) => server.close(resolve));
  });
});
