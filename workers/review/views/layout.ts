/** The frame of every page. In: a title and a body that is HTML already. Out: a whole document. */
import { html } from 'ghtml';
import type { Assets } from '../assets.ts';

export interface LayoutOptions {
  assets: Assets;
  title: string;
  /** Rendered by `html`: everything of it is escaped already. */
  body: string;
}

export function layout({ assets, title, body }: LayoutOptions): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Sidelight</title>
<link rel="icon" href="${assets.icon.path}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style.path}">
<script src="${assets.theme.path}"></script>
<script type="module" src="${assets.script.path}"></script>
</head>
<body>
<a class="skip-link" href="#main">Skip to content</a>
<header class="site-header">
<a class="site-name" href="/"><img src="${assets.icon.path}" alt="" width="24" height="24">Sidelight</a>
<p class="site-purpose">Citations that may not support their sentence, for people to decide on</p>
</header>
<main id="main">
!${body}
</main>
</body>
</html>
`;
}
