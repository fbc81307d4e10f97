/** People who are signed in, each with a browser context of their own. */
import type { BrowserContext, Page } from 'playwright-core';
import type { Role } from '../../../workers/review/session/actor.ts';
import type { Served } from './served.ts';

export interface Person {
  context: BrowserContext;
  page: Page;
}

/** `browser`: what `launchChromium` gives. Close the context after the test. */
export async function signedIn(
  browser: BrowserContext,
  served: Pick<Served, 'signIn'>,
  name: string,
  options: { roles?: readonly Role[]; colorScheme?: 'light' | 'dark'; javaScriptEnabled?: boolean } = {},
): Promise<Person> {
  const { roles, ...others } = options;
  const context = await newContext(browser, others);
  await context.addCookies((await served.signIn(name, roles)).cookies);
  return { context, page: await context.newPage() };
}

export async function newContext(browser: BrowserContext, options: object = {}): Promise<BrowserContext> {
  const context = await browser.browser()?.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  if (context === undefined) throw new Error('the browser is closed');
  return context;
}
