/**
 * What the sample web holds. In: web/manifest.json. Out: its pages, snapshots and sites, on the port that they are served on.
 * The texts themselves lie in web/<host>/; nothing is rendered here.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { UnavailableReason } from '../../shared/citation.ts';
import { repositoryRoot } from '../../shared/root.ts';

/** The port that every address in the sample's files is written with. */
export const SAMPLE_PORT = 8144;

/** Of the sources, also where the compiled program runs: texts are not compiled. */
export const SAMPLE_DIR = join(repositoryRoot(), 'deploy/sample');
export const WEB_DIR = join(SAMPLE_DIR, 'web');

const SampleUrl = z.string().regex(/^http:\/\/[a-z-]+\.localhost:\d+\//);

const Page = z.object({
  url: SampleUrl,
  status: z.union([z.literal(200), z.literal(301), z.literal(302), z.literal(404), z.literal(410)]).default(200),
  type: z.enum(['text/html', 'application/pdf', 'text/plain']).default('text/html'),
  /** Under `web/`; null where the answer has no text of its own. */
  file: z.string().nullable().default(null),
  /** Address that a redirect points to. */
  location: SampleUrl.optional(),
  /** `bare`: the file is the whole document, without its site's navigation and footer. */
  bare: z.boolean().default(false),
  /** Why a reader cannot read it; absent: it can, and the page belongs to the corpus. */
  reason: UnavailableReason.optional(),
  /** What the page is there for. */
  what: z.string().min(1),
});
export type Page = z.infer<typeof Page>;

const Snapshot = z.object({ url: SampleUrl, timestamp: z.string().regex(/^\d{14}$/), file: z.string() });
export type Snapshot = z.infer<typeof Snapshot>;

const Site = z.object({ name: z.string(), layout: z.string(), tagline: z.string() });
export type Site = z.infer<typeof Site>;

const Manifest = z.object({
  /** Host name → the site that answers under it. */
  sites: z.record(z.string().regex(/^[a-z-]+\.localhost$/), Site),
  pages: z.array(Page),
  /** Copies that the web's own archive keeps. */
  snapshots: z.array(Snapshot),
});
export type Manifest = z.infer<typeof Manifest>;

/** Reads and checks the manifest; every address is on `port`. Throws ZodError where it does not parse. */
export async function loadManifest(port: number = SAMPLE_PORT): Promise<Manifest> {
  const text = await readFile(join(WEB_DIR, 'manifest.json'), 'utf8');
  return Manifest.parse(JSON.parse(onPort(text, port)));
}

/** `text` with the sample's addresses moved to another port, for a web that tests start on a free one. */
export function onPort(text: string, port: number): string {
  return text.replaceAll(`.localhost:${SAMPLE_PORT}`, `.localhost:${port}`);
}
