/** A pile of PagePile → its titles. https://pagepile.toolforge.org gives a pile whole. */
import { z } from 'zod';
import type { Ask } from '../wiki.ts';
import type { ToolSettings } from './collect.ts';
import { refuseOtherWiki } from './home.ts';
import { askTool, noSuchList } from './tool.ts';

/** Throws ListRefused for a pile of another wiki, and for what is none: errors come as text with status 200. */
export async function collectPagePile(
  ask: Ask,
  { pagePileUrl, userAgent }: ToolSettings,
  id: number,
  signal?: AbortSignal,
): Promise<string[]> {
  const url = new URL(pagePileUrl);
  for (const [name, value] of Object.entries({ id: String(id), action: 'get_data', doit: '1', format: 'json' })) {
    url.searchParams.set(name, value);
  }
  const pile = Pile.safeParse(await askTool('pagepile', url, userAgent, signal));
  if (!pile.success) throw noSuchList('pagepile');
  await refuseOtherWiki(ask, pile.data.wiki, signal);
  return pile.data.pages;
}

const Pile = z.object({ wiki: z.string(), pages: z.array(z.string()) });
