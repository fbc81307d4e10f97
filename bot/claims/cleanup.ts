/**
 * Cleanup tags of an article: {{citation needed}} stands behind a doubtful text, {{citation needed span|…}} around it. In: the elements
 * of a page in their order. Out: which of them are only the tag that readers see, and where a tag counts.
 */
import type { Meaning } from '../vocabulary/vocabulary.ts';
import type { Trigger } from './block.ts';
import type { Element } from './document.ts';
import type { Transclusion } from './transclusion.ts';

export class CleanupTags {
  /** Groups of elements (`about`) that tags made. */
  readonly #tags = new Set<string>();
  /** Groups that templates around a text made. */
  readonly #around = new Set<string>();
  readonly #open = new Map<Element, Trigger>();

  /** `behind`: the tag stands here; `around`: where the element ends. */
  read(element: Element, trigger: Trigger, transclusion: Transclusion): 'behind' | 'around' {
    const group = element.getAttribute('about') ?? '';
    if (!encloses(transclusion)) {
      if (group !== '') this.#tags.add(group);
      return 'behind';
    }
    if (group !== '') this.#around.add(group);
    this.#open.set(element, trigger);
    return 'around';
  }

  /** Whether the element is what readers see of a tag, and none of the text. */
  isTag(element: Element): boolean {
    const group = element.getAttribute('about');
    return group !== null && (this.#tags.has(group) || (element.localName === 'sup' && this.#around.has(group)));
  }

  /** The tag around a text that ends with this element. */
  endingWith(element: Element): Trigger | undefined {
    return this.#open.get(element);
  }
}

export function isTrigger(meaning: Meaning | null): meaning is Trigger {
  return meaning === 'failed_verification' || meaning === 'citation_needed';
}

/** The text in the parameter of a template that stands around it; '' for a tag with a date at most. */
export function enclosedText(transclusion: Transclusion): string {
  return encloses(transclusion) ? parameterOf(transclusion) : '';
}

/** As templates of several wikis do. A date has no more than two words: "May 2020". */
function encloses(transclusion: Transclusion): boolean {
  return /span$/.test(transclusion.name) || parameterOf(transclusion).trim().split(/\s+/).length > 2;
}

function parameterOf({ params }: Transclusion): string {
  return params.get('text') ?? params.get('1') ?? '';
}
