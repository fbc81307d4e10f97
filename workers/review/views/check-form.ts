/** "Check a claim": a sentence, or a whole article. Plain forms; what they lead to is `check.ts`. */
import { html } from 'ghtml';
import type { Assets } from '../assets.ts';
import type { Viewer } from '../session/people.ts';
import { layout } from './layout.ts';

export interface CheckFormView {
  assets: Assets;
  viewer: Viewer;
  wiki: { id: string };
}

export function checkForm({ assets, viewer, wiki }: CheckFormView): string {
  const token = html`<input type="hidden" name="_csrf" value="${viewer.csrf}">`;
  const body = html`
<div class="page-head"><h1>Check a claim</h1></div>
<form class="panel check-form" method="post" action="/check" data-once>
!${token}<input type="hidden" name="kind" value="sentence">
<h2>A sentence</h2>
<p class="quiet" id="sentence-help">It is looked for in the pages that were read before: which support it, which say otherwise, which deal with it in another way.</p>
<p><label for="text">Sentence</label>
<textarea id="text" name="text" rows="3" minlength="3" maxlength="1000" required dir="auto" aria-describedby="sentence-help"></textarea></p>
<p><label for="title">Article it stands in <span class="quiet">(tells which of several things of one name is meant; may be empty)</span></label>
<input id="title" name="title" maxlength="512" dir="auto" autocomplete="off"></p>
<p><button class="button" type="submit">Check this sentence</button></p>
</form>
<form class="panel check-form" method="post" action="/check" data-once>
!${token}<input type="hidden" name="kind" value="page">
<h2>A whole article</h2>
<p class="quiet" id="page-help">Every claim of the newest revision on ${wiki.id} is checked against what it cites. That takes minutes.</p>
<p><label for="page">Article</label>
<input id="page" name="title" maxlength="512" required dir="auto" autocomplete="off" aria-describedby="page-help"></p>
<p><button class="button" type="submit">Check this article</button></p>
</form>`;
  return layout({ assets, viewer, title: 'Check a claim', body });
}
