/**
 * The gadget's rim: what is being read, and when it is shown. What it does is in gadget.ts. Runs on articles, their talk pages,
 * and users' and projects' pages that are being read, and nowhere else.
 */
import { createConsent } from './consent.ts';
import { createGadget } from './gadget.ts';
import { createKeptChecks } from './kept-checks.ts';
import { createMessages, languageOf, type Messages, type TextList, type Texts, textsOf } from './messages.ts';
import { createService } from './service.ts';
import type { PageKind } from './view.ts';

/** Origin of the review service; set when the gadget is built. */
declare const SIDELIGHT_SERVICE: string;
/** Which texts this script knows by their order. */
declare const SIDELIGHT_TEXTS: string;

const PROJECT = /^wikiproject /i;

const page = mw.config.get('wgAction') === 'view' ? pageOf(mw.config.get('wgNamespaceNumber')) : null;
const language = languageOf(mw.config.get('wgUserLanguage'));
if (page !== null && language === 'en') start(page, createMessages('en'));
else if (page !== null)
  loadTexts(language).then((texts) => start(page, createMessages(texts === null ? 'en' : language, texts ?? {})));

function start(page: PageKind, msg: Messages): void {
  const api = new mw.Api();
  const consent = createConsent(api, SIDELIGHT_SERVICE);
  const gadget = createGadget({
    service: createService(SIDELIGHT_SERVICE, consent.isGiven),
    consent,
    kept: createKeptChecks('title' in page ? page.title : ''),
    api,
    msg,
    wiki: new URL(mw.config.get('wgServer'), location.href).host,
    page,
  });
  // fires again when the article is drawn anew, as after an edit in the visual editor
  if (page.kind === 'article') {
    mw.hook('wikipage.content').add(($content) => {
      const content = document.getElementById('mw-content-text');
      if (content !== null && $content[0] !== undefined && content.contains($content[0])) gadget.show(content);
    });
  }
}

/** Null: they could not be had, or belong to another version of this script that a cache still has. */
async function loadTexts(language: string): Promise<Texts | null> {
  const module = `ext.gadget.sidelight-${language}`;
  try {
    const require = await mw.loader.using(module);
    const list = require(module) as TextList; // as deploy/gadget/build.ts made it
    return list.of === SIDELIGHT_TEXTS ? textsOf(list) : null;
  } catch {
    return null;
  }
}

function pageOf(namespace: number): PageKind | null {
  const whole = mw.config.get('wgPageName').replace(/_/g, ' ');
  const title = mw.config.get('wgTitle');
  const user = mw.config.get('wgRelevantUserName');
  if (namespace === 0) return mw.config.get('wgArticleId') > 0 ? { kind: 'article', title: whole } : null;
  if (namespace === 1) return { kind: 'talk', title, talk: whole };
  if (namespace === 2 && user) return { kind: 'user', user };
  if (namespace === 4) return { kind: 'project', page: rootOf(whole), project: rootOf(title).replace(PROJECT, '') };
  return null;
}

/** Without subpages. */
function rootOf(title: string): string {
  return title.split('/')[0] ?? title;
}
