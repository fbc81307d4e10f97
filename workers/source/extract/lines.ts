/** A line's own words → what it is beside an article's text: a by-line, an offer, a way to other pages. Knows nothing of where it stands. */

/** A line of that kind wherever it stands. `linked`: the share of it that is in links. */
export function isBoilerplate(text: string, linked: number): boolean {
  const count = wordCount(text);
  if (ALWAYS.test(text) && count <= MAX_NOTICE_WORDS) return true;
  if (OFFER.test(text) && count <= MAX_OFFER_WORDS) return true;
  if (WAY_ON.test(text) && (linked > 0.3 || count <= 6)) return true;
  return linked > 0.3 && count <= MAX_OFFER_WORDS && ENDS_IN_OFFER.test(text);
}

/** Who wrote it, when, for whom; not a sentence of it. */
export function isByline(text: string): boolean {
  if (wordCount(text) > MAX_BYLINE_WORDS) return false;
  return DATE_LINE.test(text) || (BYLINE.test(text) && !SENTENCE.test(text));
}

/** Behind the text: who its author is, where to write to, who has the rights. */
export function isClosing(text: string): boolean {
  return wordCount(text) <= MAX_CLOSING_WORDS && CLOSING.test(text);
}

/** A heading of what is not the article; `ends` and `comments`: nothing of the article comes after it. */
export function headingOf(text: string): 'aside' | 'ends' | 'comments' | null {
  const plain = text.replace(/^[\s\d(#]+(?=\p{L})|[\s:.…!?»)\d(]+$/gu, '').trim();
  if (COMMENTS_HEADING.test(plain)) return 'comments';
  if (ENDING_HEADING.test(plain)) return 'ends';
  return ASIDE_HEADING.test(plain) ? 'aside' : null;
}

/** Says why there is no more to read here: an offer to subscribe, a login, a notice of cookies, a check. */
export function isGate(text: string): boolean {
  return wordCount(text) <= MAX_OFFER_WORDS && GATE.test(text);
}

/** Reads as prose: some words that a full stop, or what stands for one, ends. */
export function isSentence(text: string): boolean {
  return SENTENCE.test(text) && wordCount(text) >= MIN_SENTENCE_WORDS;
}

/** Its last character ends a sentence or a quotation. */
export function endsSentence(text: string): boolean {
  return SENTENCE.test(text) || /["”’»]$/.test(text);
}

export function wordCount(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

const MIN_SENTENCE_WORDS = 6;
const MAX_NOTICE_WORDS = 25;
const MAX_OFFER_WORDS = 45;
const MAX_BYLINE_WORDS = 18;
const MAX_CLOSING_WORDS = 60;
const SENTENCE = /[.!?…:;。！？؟][\s"”’'»)\]]*(\[\d+\])*$/u;

function starting(...patterns: string[]): RegExp {
  return new RegExp(`^[\\s\\p{P}\\p{S}]*(?:${patterns.join('|')})`, 'iu');
}

function only(...patterns: string[]): RegExp {
  return new RegExp(`^[\\s\\p{P}\\p{S}]*(?:${patterns.join('|')})[\\s\\p{P}\\p{S}]*$`, 'iu');
}

const ALWAYS = new RegExp(
  [
    only(
      'advertisement|advert|anzeige|werbung|publicité|publicidad|pubblicità|publicidade|advertentie|реклама|sponsored( content)?|promoted|supported by',
      '(story|article) continues (below|after)( the)?( (advertisement|ad|video|gallery))*|continue reading( the main story| below)?|scroll (down )?(to|for) (continue|more).*',
      'skip (to|past) .*|(back to|return to) top|share( (this|on|via|with)( (article|story|post|page|facebook|twitter|friends|email|whatsapp|linkedin))*)?|tweet|pin it|print|e-?mail|facebook|twitter|whatsapp|linkedin|pinterest|reddit|copy link|save',
      'follow|subscribe( now)?|sign up( now| here)?|sign in|log ?in|register|read (more|full (story|article))|more|see (all|more)|view (all|more|gallery|comments)|show more|load more|learn more|click here.*',
      'image (copyright|caption|source|credit).{0,60}|media (caption|playback is unsupported on your device)|play video|(watch )?video|photo|photos|gallery|\\d+ (of|/) \\d+|getty( images)?|afp|reuters|ap photo',
      '\\d+ (shares?|comments?|likes?|views?|claps?|responses?|retweets?)|no comments( yet)?|(leave|post|add|write) a (comment|reply)|comments?( \\(?\\d+\\)?| are closed)?|reply|\\d+\\s*min(ute)?s? read|reading time.{0,20}',
      'order reprints.*|today.s paper|jump to recipe.*|print recipe|table of contents|enter your email( address)?|e-?mail address|loading.{0,20}|permalink|previous|next|(previous|next) (article|post|story|page).{0,80}|(older|newer) posts?',
      'kommentare?|teilen|drucken|mehr|weiterlesen|lire la suite|partager|imprimer|compartir|imprimir|compartilhar|condividi|stampa|delen|afdrukken|поделиться|читать далее|lesen sie auch|lire aussi|à lire aussi|читайте также',
    ).source,
    starting(
      '(tags?|labels|topics|filed under|tagged( with)?|posted (in|under)|categor(y|ies)|keywords|see more on|more about|archivado en|etiquetas|schlagworte|mots[- ]clés|теги|тэги)\\s*:',
      '(©|\\(c\\) ?\\d{4}|copyright\\s*(©|\\(c\\)|\\d{4}|by\\b|:)|copyright \\p{Lu}[\\p{L} ]{1,40} \\d{4})',
      'source\\s*:?\\s*\\p{Lu}[\\w .&-]{2,40}$',
    ).source,
  ].join('|'),
  'iu',
);

const OFFER = starting(
  '(please )?(sign up|subscribe|register|join)\\b.{0,80}\\b(newsletters?|e-?mails?|inbox|updates|alerts|mailing list|briefing|subscriber|access|channel|podcast|today)\\b',
  'get .{0,80}\\b(delivered|sent|straight) .{0,20}(to )?your (inbox|e-?mail|phone)|.{0,60}delivered (straight |directly |right )?to your inbox',
  '(please )?(follow|like|find|join) (us|him|her|me|them|\\w+ \\w+|@?\\w+) (on|at|and).{0,40}(twitter|facebook|instagram|linkedin|youtube|telegram|whatsapp|google|threads|tiktok)',
  'follow @|follow .{0,40} on (twitter|facebook|instagram|linkedin|telegram|google news)|(puedes seguir|síguenos|suivez|folgen sie|seguici|siga-nos|volg ons)\\b',
  'click here (to|for)|(download|get) (the|our) .{0,30}\\bapp\\b|for (all )?the latest .{0,80}(download|follow|visit|subscribe)|(have|got) a (news )?(story|tip|question|comment|correction)\\b.{0,60}(e-?mail|contact|let us|tell us|call|send)',
  'your email address will not be published|required fields are marked|notify me of|this site uses akismet|we use cookies|by (signing up|subscribing|clicking|continuing|using)\\b.{0,60}(agree|accept|terms|privacy)',
  'thank you for (signing up|subscribing)|(this (article|post|page)|some of (the|our) links?) (may )?contains? (affiliate|links)|we (may )?(earn|receive) (a |an )?(affiliate |small )?(commission|compensation)',
  'all products (featured|recommended).{0,80}(selected|commission)|if you (buy|purchase) (something )?(through|via|using) (our|a) links?|the views expressed .{0,60}(users|author|own|not necessarily)',
  'opinions expressed .{0,60}(their own|are those)|support (our|independent) (journalism|work|reporting)|(you can )?(also )?(listen to|watch) (the|our) (podcast|video) (here|below)',
  'a version of this (article|story|column) (appears|appeared|first appeared|was published)|this (article|story|post|piece|column) (was |first |originally )+(published|appeared|posted)',
  '(want|looking for) more\\b.{0,100}(sign up|subscribe|follow|read)|(enjoyed|like|liked) this (article|story|post)\\b|did you (make|like|enjoy) this|let us know (what you think|in the comments)|what do you think\\?.{0,60}(comments|below)',
  'do not sell my|all rights reserved|this material may not be (published|reproduced)|(re)?print(s)? (and|&) permissions|not a subscriber|already a (subscriber|member)',
);

const ENDS_IN_OFFER =
  /(sign up|subscribe|click|download|order|buy|shop|donate|read more|find out more|learn more)\b[^.!?]{0,40}[.!]?$/i;

const WAY_ON = starting(
  '(read|see|watch|listen|view|check out|click)( it| this| also| more| next| on| now| here)?( |-)*(also|more|next|now|related|the full|full story)?\\s*[:|>»–—-]',
  '(read|see|watch) (more|also|next)\\b|(also|now|must|don.t) (read|watch|see|miss)\\b|related( (article|story|stories|coverage|content|link|links|post|posts|news|video))?\\s*[:|–—-]|more( on| from| in)?\\s*[:|]|more (on|from) (this|the|our)\\b',
  '(recommended|trending|in pictures|opinion|analysis|explainer|gallery|video|photos|listen|watch|you may also like|up next|previously|from the archives?)\\s*[:|]',
  'lire (aussi|également)|à lire|voir aussi|lesen sie (auch|hier)|mehr (zum thema|dazu)|(auch )?interessant:|lea también|le(er|e) más|te puede interesar|más información|leia (também|mais)|saiba mais|veja também|leggi anche|lees (ook|meer|verder)|читайте также|подробнее|смотрите также',
);

const GATE =
  /\b(subscri|sign in|log ?in\b|register|members? (only|number)|premium|unlock|cookies?\b|consent|before you continue|continue reading|password|javascript|robot|captcha|abonn|suscr|assin|acceder|anmelden|connectez|accedi|inloggen)/i;

const BYLINE = starting(
  '(by|von|par|por|di|da|door|text|words|story|written by|posted by|reported by|author|автор|photos? by|photography by|interview by|edited by|compiled by|submitted by|news provided by)\\b\\s*:?\\s*(<|@|\\p{Lu}|the )',
  '(posted|published|updated|last updated|last modified|modified|created|submitted|first published|publié|mis à jour|veröffentlicht|aktualisiert|stand|publicado|actualizado|atualizado|pubblicato|aggiornato|gepubliceerd|bijgewerkt|опубликовано|обновлено)\\b',
);

const MONTHS =
  'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|janv|févr|mars|avril|mai|juin|juil|août|déc|mär|märz|okt|dez|ene|abr|ago|dic|fev|set|out|gen|mag|giu|lug|ott|maart|mei|янв|фев|мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек';
/** A date, with a time and little else. */
const DATE_LINE = new RegExp(
  `^[\\s\\p{P}]*((mon|tues?|wed(nes)?|thur?s?|fri|sat(ur)?|sun)(day)?[\\s,]*)?(\\d{1,2}(st|nd|rd|th)?[\\s./-]*(of )?(de )?(${MONTHS})\\p{L}*[\\s.,/-]*(de )?\\d{2,4}|(${MONTHS})\\p{L}*[\\s.]*\\d{1,2}(st|nd|rd|th)?[\\s,]*\\d{4}|\\d{1,4}[./-]\\d{1,2}[./-]\\d{1,4})[\\s\\p{P}]*((at|um|à|a las|alle|om|в)?\\s*\\d{1,2}[:.h]\\d{2}([:.]\\d{2})?)?[\\s\\p{P}]*([ap]\\.?m\\.?)?[\\s\\p{P}]*(uhr|[A-Z]{2,5}|\\(.{0,30}\\))?[\\s\\p{P}]*(\\|.{0,40}|by .{0,40})?$`,
  'iu',
);

const CLOSING = new RegExp(
  [
    starting(
      '(reporting|writing|additional reporting|editing|with (additional )?(reporting|files|contributions?|material)|compiled|edited|photo(graph)?s?) (by|from)\\b',
      '(contact|email|e-mail|reach|follow|write to) (the )?(author|reporter|writer|editor|\\p{Lu}\\p{L}+)\\b.{0,60}(@|at|on)',
      '(about the (author|writer)|source|via|credit|hat tip|h/t|editor.s note|media contact|press contact|for (more|further|media) (information|inquiries|enquiries)|contact)\\s*[:|]',
    ).source,
    "^\\p{Lu}[\\p{L}.’'-]+( \\p{Lu}[\\p{L}.’'-]*){1,3},? (is|was|has been|covers|writes|reports|joined|works|can be reached|contributed)\\b.{0,80}\\b(writer|reporter|editor|journalist|correspondent|columnist|contributor|contributing|author of|blogger|freelance|covers|writes|twitter|reached|this report|to this)",
    '\\b(can be reached|may be reached|reach (him|her|them)) (at|by|on)\\b|\\bcontributed to this (report|story|article)|^\\S+@\\S+\\.\\w+$|^@\\w+$|^_{2,}$|^[*•#~–—-]{1,5}$|^twitter:? @',
    '^(twitter|e-?mail|phone|tel|fax)\\b.{0,60}$',
  ].join('|'),
  'iu',
);

const ASIDE_HEADING = only(
  '(related|recommended|popular|trending|latest|recent|more|top|other|further|similar|featured)( (articles?|stories|story|news|posts?|content|coverage|links?|topics?|reading|videos?|in .{0,30}|from .{0,40}|on .{0,40}|like this|for you))+',
  'related|recommended( for you)?|trending( now)?|most (read|popular|viewed|shared|commented)|editor.?s.? picks?|must read|don.t miss|read (more|next|also|this next)|you (may|might)( also)? (like|enjoy|be interested in).{0,30}|also (read|on|in) ?.{0,30}|up next|next up.{0,30}|see also|more to read',
  '(share|tags?|topics?|filed under|categories|labels|newsletters?|advertisement|sponsored|follow us|connect|contact|social|search|menu|navigation|breadcrumbs?|archives?|subscribe|sign up)( (this|by|on|with|us|via|media|for|to|the (article|story|post|author)|now|today)\\b.{0,40})?',
  'mehr zum thema|lesen sie (auch|mehr)|das könnte sie (auch )?interessieren|lire aussi|à lire aussi|sur le même sujet|más información|te puede interesar|noticias relacionadas|leia (mais|também)|veja também|leggi anche|articoli correlati|lees ook|gerelateerd|читайте также|по теме',
);
const COMMENTS_HEADING = only(
  '(reader |user |all |post |view |\\d+ )*(comments?|responses?|replies|thoughts? on .{0,80})( \\(?\\d+\\)?)?( (on|to) .{0,80})?|(leave|post|add|write|submit) (a |your )?(comment|reply|response).{0,20}',
  'join the (discussion|conversation)|have your say|reader interactions|kommentare?|commentaires?|comentarios?|commenti|reacties|комментарии',
);
const ENDING_HEADING = only(
  '(about|meet|written by) the (author|writer)s?|(related|recommended|more|other|similar|latest|recent|popular) (articles?|stories|posts?|news|content|coverage|from .{0,40})|you (may|might) also (like|enjoy).{0,20}|more on this (story|topic)|(also )?from this (source|author)|recommended for you|around the web|from the web|from our partners|sponsored (content|links|stories)',
  'das könnte sie auch interessieren|ähnliche artikel|articles similaires|artículos relacionados|what do you think',
);
