/** A page of the sample web as a site sends it: the file's text inside the site's own layout. In: the manifest's entry. Out: status, type, body. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Manifest, onPort, type Page, WEB_DIR } from './manifest.ts';

export interface Answer {
  status: number;
  type: string;
  body: string | Buffer;
  location?: string;
}

export async function renderPage(manifest: Manifest, page: Page, port: number): Promise<Answer> {
  const { status, type, location } = page;
  if (location !== undefined) return { status, type, body: '', location };
  if (type === 'application/pdf') return { status, type, body: await readFile(join(WEB_DIR, page.file ?? '')) };
  const text = page.file === null ? NOT_THERE : onPort(await readFile(join(WEB_DIR, page.file), 'utf8'), port);
  return { status, type, body: page.bare ? text : await inLayout(manifest, new URL(page.url).hostname, text) };
}

/** Puts an article, whose first heading is its title, between the navigation and the footer of its site. */
export async function inLayout(manifest: Manifest, host: string, article: string): Promise<string> {
  const site = manifest.sites[host] ?? { name: host, layout: 'plain.html', tagline: '' };
  const layout = await readFile(join(WEB_DIR, 'layouts', site.layout), 'utf8');
  const title = /<h1[^>]*>(.*?)<\/h1>/s.exec(article)?.[1]?.replace(/<[^>]*>/g, '') ?? site.name;
  const parts: Record<string, string> = { title, article, site: site.name, tagline: site.tagline };
  return layout.replace(/\{\{(\w+)\}\}/g, (_, name: string) => parts[name] ?? '');
}

const NOT_THERE =
  '<h1>Page not found</h1>\n<p>The page you asked for is not here. It may have been moved or removed.</p>\n';
