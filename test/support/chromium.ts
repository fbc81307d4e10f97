/** A real Chromium for a test file, with nothing remembered and nothing fetched of its own accord. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

/** Why there is no Chromium here; null if there is. */
export function chromiumUnavailable(): string | null {
  return existsSync(CHROMIUM) ? null : 'no Chromium: apt-get install chromium fonts-dejavu-core';
}

/** Its own empty profile, which goes when the context is closed. */
export async function launchChromium(): Promise<BrowserContext> {
  const { chromium } = await import('playwright-core'); // half a second that only tests with a browser pay
  const profile = await mkdtemp(join(tmpdir(), 'sidelight-chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: true,
    viewport: { width: 1280, height: 800 },
    args: FLAGS,
  });
  const close = context.close.bind(context);
  context.close = async (options) => {
    await close(options);
    await rm(profile, { recursive: true, force: true });
  };
  return context;
}

/** No sandbox: containers seldom allow it, and only our own pages are shown. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
