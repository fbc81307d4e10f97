/**
 * Text nodes → the plain text of a block, with the offsets at which markers stand. Whitespace is normalised while it is
 * written, so that an offset is final when it is noted.
 */
import { type Element, hasClass, hasToken } from './document.ts';

export interface TextWriter {
  write(data: string): void;
  /** A word boundary, such as a line break. */
  space(): void;
  /** Something that is not read stood here: no space is left before the punctuation behind it. */
  gap(): void;
  /** What follows is raised: `10<sup>6</sup>` is no 106. */
  raise(): void;
  /** Where the next character will stand, not counting a space before it. */
  offset(): number;
  /** The text so far; the writer starts anew. */
  take(): string;
}

export function createTextWriter(): TextWriter {
  let text = '';
  let last = ''; // of the text: asking a string that is still being put together would copy it each time
  let spaced = false;
  let raised = false;
  let gap = false;
  return {
    write(data) {
      const clean = data.replace(INVISIBLE, '').replace(/\s+/g, ' ');
      const words = clean.trim();
      if (clean.startsWith(' ')) spaced = true;
      if (words !== '') {
        const isClosing = gap && /^[.,;:!?)\]]/.test(words);
        text += (spaced && text !== '' && !isClosing ? ' ' : raised && isPower(last, words) ? '^' : '') + words;
        last = words.charAt(words.length - 1);
        spaced = clean.endsWith(' ');
        raised = gap = false;
      }
    },
    space() {
      spaced = true;
    },
    gap() {
      gap = true;
    },
    raise() {
      raised = true;
    },
    offset: () => text.length,
    take() {
      const taken = text;
      text = last = '';
      spaced = raised = gap = false;
      return taken;
    },
  };
}

/** Soft hyphens, zero-width characters and direction marks. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

function isPower(base: string, raised: string): boolean {
  return /\d/.test(base) && /^[-−+]?\d+$/.test(raised);
}

/** Elements whose text is no part of what the article says. Markers inside them still count. */
export function isSilent(element: Element): boolean {
  const isSilentName = SILENT_ELEMENTS.has(element.localName) || isForeignFile(element);
  return isSilentName || hasClass(element, SILENT_CLASSES) || isHidden(element);
}

const SILENT_ELEMENTS = new Set(['head', 'style', 'script', 'noscript', 'template', 'audio', 'video', 'annotation']);
const SILENT_CLASSES =
  /^(noprint|Inline-Template|Template-Fact|reference|mw-editsection|mw-cite-backlink|mw-ext-cite-error|mw-broken-media|sortkey|error|navbar|coordinates|geo(-.*)?)$/;

/** `[[Datei:Ship.jpg|mini|At sea]]` on a wiki that knows no such namespace becomes a link with all of that as its text. */
function isForeignFile(element: Element): boolean {
  return (
    element.localName === 'a' &&
    /^\.\/[^/:]+:[^?]+\.(jpe?g|png|svg|gif|tiff?|ogg|webm)(\?|$)/i.test(element.getAttribute('href') ?? '')
  );
}

/** MathML is hidden behind its image, but it is the formula. */
function isHidden(element: Element): boolean {
  const hidden = /(display\s*:\s*none|visibility\s*:\s*hidden)/i.test(element.getAttribute('style') ?? '');
  return hidden && !hasClass(element, /^mwe-math-/);
}

export function isMarker(element: Element): boolean {
  return hasToken(element, 'typeof', 'mw:Extension/ref');
}
