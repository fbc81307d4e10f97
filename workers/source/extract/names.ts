/**
 * What an element's tag, role, class and id say of its part on the page. The words are those that themes and publishing systems use, in
 * the languages whose sites name their parts in their own; no site is known by name. Says nothing of how much text is in it.
 */
import type { Element } from './dom.ts';

/** `comments` are what readers wrote, `caption` belongs to a picture; `body` is where an article's text is said to be. */
export type Part = 'furniture' | 'comments' | 'caption' | 'body' | null;

/** `byName`: listen to class and id as well. */
export function partOf(element: Element, byName: boolean): Part {
  const tag = element.localName;
  if (FURNITURE_TAGS.has(tag) || isHidden(element)) return 'furniture';
  if (FURNITURE_ROLE.test(element.getAttribute('role') ?? '')) return 'furniture';
  if (PICTURE_TAGS.has(tag)) return element.querySelector('table, pre') === null ? 'caption' : null;
  if (BODY_PROPERTY.test(propertiesOf(element))) return 'body';
  return ROOTS.has(tag) ? null : partOfNames(namesOf(element), byName);
}

/** Not shown to a reader, by its own attributes. */
export function isHidden(element: Element): boolean {
  if (element.hasAttribute('hidden') || element.getAttribute('aria-hidden') === 'true') return true;
  return /display\s*:\s*none|visibility\s*:\s*hidden/i.test(element.getAttribute('style') ?? '');
}

/** Class names and id, `StoryBody_text` as `story-body-text`. */
export function namesOf(element: Element): string[] {
  const names = `${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''} ${DATA_NAMES.map((name) => element.getAttribute(name) ?? '').join(' ')}`;
  return names
    .split(/\s+/, MAX_NAMES)
    .filter(Boolean)
    .map((name) =>
      name
        .replace(/([a-z\d])([A-Z])/g, '$1-$2')
        .replace(/[^\p{L}\p{N}]+/gu, '-')
        .toLowerCase(),
    );
}

function propertiesOf(element: Element): string {
  return ['itemprop', 'property', 'name'].map((name) => element.getAttribute(name) ?? '').join(' ');
}

/** The last words of a name tell most: `article-body-share` is for sharing, `share-enabled` is not. */
function partOfNames(names: readonly string[], byName: boolean): Part {
  if (names.some((name) => COMMENTS.test(name) && !STATE.test(name))) return 'comments';
  if (!byName) return names.some((name) => BODY.test(name)) ? 'body' : null;
  if (names.some((name) => CAPTION.test(name))) return 'caption';
  if (names.some((name) => FURNITURE.test(name) && !STATE.test(name))) return 'furniture';
  return names.some((name) => BODY.test(name)) ? 'body' : null;
}

function words(...lists: string[]): RegExp {
  return new RegExp(`(?:^|-)(?:${lists.join(' ').trim().split(/\s+/).join('|')})(?:-|$)`);
}

const MAX_NAMES = 40;
const DATA_NAMES = ['data-component', 'data-testid', 'data-qa', 'data-area', 'data-hook'];
const ROOTS = new Set(['html', 'body', 'main', 'article']);
const FURNITURE_TAGS = new Set(['nav', 'footer', 'aside', 'dialog', 'menu', 'form', 'amp-sidebar', 'amp-consent']);
const PICTURE_TAGS = new Set(['figure', 'figcaption', 'picture']);
const FURNITURE_ROLE =
  /^(navigation|banner|contentinfo|complementary|search|dialog|alertdialog|menu|menubar|toolbar|tooltip|note)$/i;
const BODY_PROPERTY = /\b(articleBody|reviewBody|content:encoded)\b/;

const COMMENTS = words(
  'comments? commentlist commentary-list comment-list commentwrap commentthread disqus respond livefyre viafoura coral',
  'replies post-reply discussion-thread reader-comments comentarios? commentaires? kommentare? commenti reacties kommentarii',
);
const CAPTION = words(
  'caption captions figcaption figcap cap wp-caption wp-caption-text tr-caption slide-caption image-caption imagecaption photo-caption photocaption',
  'img-cap credit credits photo-credit photocredit image-credit photographer image-meta foto-pie legende bildunterschrift didascalia bijschrift',
);
const FURNITURE = words(
  // other pages
  'related relateds relatedposts relatedarticles relatedlinks relatedstories relcontent rich-link richlink recommended recommendations recommender',
  'recirc recirculation outbrain taboola trending popular mostread most-read most-viewed mostviewed more-stories more-news more-info more-from more-on',
  'read-more readmore read-more-link read-next read-also readalso also-read alsoread also-like youmaylike you-may-also teaser teasers interstitial',
  'interstitial-link latest-news latest-posts recent-posts recentposts next-article next-post prev-post previous-post post-nav post-navigation',
  'nav-links nav-previous nav-next prevnext pagination pager headlines-list topstories top-stories bookmark-card hub-peek vestpocket mehr-zum-thema',
  'lire-aussi leia-mais saiba-mais leggi-anche lees-ook catcher inline-promo related-content read-more-outbrain',
  // the site itself
  'newsletter newsletters newsletter-signup subscribe subscription subscriptions subscriber-promo signup sign-up optin opt-in email-signup mailing-list',
  'promo promos promobox promotion advert adverts advertisement advertising advertorial ad ads adslot ad-slot adunit adsense adsbygoogle adbox adspot sponsor',
  'sponsored sponsors donate donation contributions-epic paid-content cta call-to-action share sharing sharebar sharebox sharedaddy sharetools share-tools addthis addtoany',
  'social socials social-links social-media sociable breadcrumb breadcrumbs crumbs crumb nav navbar navigation menu submenu toolbar masthead sidebar sidebars side-bar',
  'rail right-rail widget-area footer foot site-footer site-header cookie cookies cookie-banner consent gdpr popup modal overlay lightbox tooltip login',
  'skip-link skiplink anzeige werbung publicidad pubblicita publicite reklama teilen partager compartir compartilhar condividi delen',
  // about the article
  'byline bylines by-line author authors author-name author-bio authorbio author-box author-info author-card about-author about-the-author bio biography',
  'contributor contributors dateline-date timestamp pubdate pub-date publish-date published-date published-dates publication-date post-date posted-on posted-by entry-date date-header updated',
  'post-meta postmeta entry-meta article-meta story-meta meta metadata meta-info postinfo post-info post-author submitted kicker eyebrow reading-time read-time',
  'tag-list taglist tags tag-links post-tags article-tags story-tags topics topic-list keywords categories category-list cat-links labels post-labels entry-utility',
  'post-footer entry-footer article-footer post-header entry-header article-header rating ratings views post-views likes print-only article-tools tools',
  'disclaimer disclosure affiliate affiliate-disclosure copyright legal trust-badge autor autoren auteur auteurs autore etiquetas schlagworte mots-cles archivado',
  // what stands in a text and is not of it
  'pullquote pull-quote pullquotes toc table-of-contents video-player player jwplayer playlist gallery slideshow carousel carousels slider product-box buy-box',
  'calendar poll quiz screen-reader-text sr-only visually-hidden visuallyhidden off-screen offscreen element-invisible assistive-text skip',
);
/** What a page offers, said on its whole: `comments-open`, `has-sidebar`, `no-share`. */
const STATE = /^(has|no|with|without|is|not|show|hide)-|-(open|enabled|disabled|active|visible|on|off)$/;
const BODY = new RegExp(
  `${
    words(
      'article-body articlebody article-text articletext article-content articlecontent article-copy article-main story-body storybody story-text storytext',
      'story-content storycontent story-copy post-body postbody post-content postcontent post-text entry-content entrycontent entry-body entry-text',
      'body-content body-copy bodycopy bodytext body-text content-body contentbody content-text news-body news-text news-content newsbody blog-content blog-body',
      'blog-item-content rich-text richtext wysiwyg field-name-body field-body text-content main-text maintext full-text fulltext release-body e-content',
      'govspeak body-markup texto cuerpo cuerpo-noticia articulo-cuerpo noticia-texto contenido corps corps-article texte artikeltext artikel-text artikel-body',
      'testo corpo-articolo materia-conteudo',
    ).source
  }|^(article|story|post|entry|page|news|blog)(-\\p{L}+)?-(body|text|content|copy)$`,
  'u',
);
