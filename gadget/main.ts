/**
 * The gadget's rim: which page this is, and when it is shown. What it does is in gadget.ts. Runs on articles that are being
 * read, and nowhere else.
 */
import { createGadget } from './gadget.ts';
import { createService } from './service.ts';

/** Origin of the review service; set when the gadget is built. */
declare const SIDELIGHT_SERVICE: string;

if (
  mw.config.get('wgNamespaceNumber') === 0 &&
  mw.config.get('wgAction') === 'view' &&
  mw.config.get('wgArticleId') > 0
) {
  const gadget = createGadget({
    service: createService(SIDELIGHT_SERVICE),
    api: new mw.Api(),
    wiki: new URL(mw.config.get('wgServer'), location.href).host,
    page: mw.config.get('wgPageName').replace(/_/g, ' '),
    reviewUrl: (id) => `${SIDELIGHT_SERVICE}/findings/${id}`,
  });
  // fires again when the article is drawn anew, as after an edit in the visual editor
  mw.hook('wikipage.content').add(($content) => {
    const content = document.getElementById('mw-content-text');
    if (content !== null && $content[0] !== undefined && content.contains($content[0])) gadget.show(content);
  });
}
