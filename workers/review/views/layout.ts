/** The frame of every page. In: a title, a body that is HTML already, and who looks at it. Out: a whole document. */
import { html } from 'ghtml';
import type { Assets } from '../assets.ts';
import type { Viewer } from '../session/people.ts';

export interface LayoutOptions {
  assets: Assets;
  title: string;
  /** Rendered by `html`: everything of it is escaped already. */
  body: string;
  viewer: Viewer;
  /** Address of the page's news, for readers of feeds; default: it has none. */
  feed?: string;
}

export function layout({ assets, title, body, viewer, feed }: LayoutOptions): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
!${viewer.csrf === '' ? '' : html`<meta name="csrf-token" content="${viewer.csrf}">`}
<title>${title} – Sidelight</title>
<link rel="icon" href="${assets.icon.path}" type="image/svg+xml">
!${feed === undefined ? '' : html`<link rel="alternate" type="application/rss+xml" title="Findings of this list" href="${feed}">`}
<link rel="stylesheet" href="${assets.style.path}">
<script src="${assets.theme.path}"></script>
<script type="module" src="${assets.script.path}"></script>
</head>
<body>
<a class="skip-link" href="#main">Skip to content</a>
<header class="site-header">
<a class="site-name" href="/"><img src="${assets.icon.path}" alt="" width="24" height="24">Sidelight</a>
!${siteLinks(viewer)}
!${account(viewer)}
</header>
<main id="main">
!${body}
</main>
</body>
</html>
`;
}

const LINKS = [
  ['/', 'Queue'],
  ['/check', 'Check a claim'],
  ['/compare', 'Compare'],
  ['/insights', 'Insights'],
  ['/docs', 'API'],
] as const;

function siteLinks({ path }: Viewer): string {
  const here = path.split(/[?#]/)[0];
  const links = LINKS.map(
    ([to, name]) => html`<li><a href="${to}"!${to === here ? ' aria-current="page"' : ''}>${name}</a></li>`,
  );
  return html`<nav class="site-links" aria-label="Sidelight"><ul>!${links.join('')}</ul></nav>`;
}

function account({ actor, path }: Viewer): string {
  if (actor !== null) return html`<a class="site-account" href="/account"><bdi>${actor.name}</bdi></a>`;
  return html`<a class="site-account" href="/sign-in?to=${encodeURIComponent(path)}" rel="nofollow">Sign in</a>`;
}
