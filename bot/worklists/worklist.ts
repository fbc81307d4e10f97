/** The words of worklists: where articles come from, a list, a run of it, an article in a run. Does nothing. */
import { z } from 'zod';
import { RequestError } from '../../shared/errors.ts';

const Title = z.string().min(1, 'is empty').max(512, 'is longer than titles are');
const Category = Title.transform(categoryTitle);
const Depth = z.int().min(0).max(50, 'is more than 50');
const Id = z.int().positive('is a number from 1 on');

/** Where a worklist has its articles from. */
export const ListSource = z.discriminatedUnion('kind', [
  /** Pages of a category and, down to `depth`, of its subcategories. */
  z.object({ kind: z.literal('category'), title: Category, depth: Depth }),
  /** The same, of talk pages: the articles that they belong to. */
  z.object({ kind: z.literal('assessment'), title: Category, depth: Depth }),
  /** https://pagepile.toolforge.org */
  z.object({ kind: z.literal('pagepile'), id: Id }),
  /** A saved query of https://petscan.wmcloud.org */
  z.object({ kind: z.literal('petscan'), id: Id }),
  /** Titles that were read when the list was added. */
  z.object({ kind: z.literal('file'), name: z.string(), titles: Id }),
  z.object({
    kind: z.literal('search'),
    query: z.string().min(1, 'is empty').max(2000, 'is longer than 2000 characters'),
  }),
  /** What links to a page or transcludes it. */
  z.object({ kind: z.literal('links'), title: Title }),
  /** Articles that a user began. */
  z.object({ kind: z.literal('creations'), user: z.string().min(1, 'is empty').max(255, 'is longer than names are') }),
]);
export type ListSource = z.infer<typeof ListSource>;

/** Once a week, at a full hour UTC. */
export const Schedule = z.object({ day: z.int().min(0).max(6), hour: z.int().min(0).max(23) });
export type Schedule = z.infer<typeof Schedule>;

/** As `Date.getUTCDay` and cron count them. */
export const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

export interface Worklist {
  id: number;
  wiki: string;
  name: string;
  source: ListSource;
  paused: boolean;
  schedule: Schedule | null;
  /** ISO time. */
  created: string;
}

/** Where a run stands in its list: in a category, and in what the wiki gave to go on with. */
export const Position = z.object({
  category: z.object({ title: z.string(), depth: z.int().nonnegative() }).optional(),
  /** What the API said to ask next, or how many titles of a stored list were taken. */
  next: z.union([z.record(z.string(), z.union([z.string(), z.number()])), z.int()]).optional(),
});
export type Position = z.infer<typeof Position>;

/** `failed`: `reason` says why; `cancelled`: a person did it. */
export type RunState = 'running' | 'done' | 'failed' | 'cancelled';
/** What a running run does: reads its list, asks the wiki for its pages, hands them on. */
export type Phase = 'collecting' | 'resolving' | 'publishing';

export interface Run {
  id: number;
  worklist: number;
  /** 1, 2, 3 … of its worklist. */
  number: number;
  state: RunState;
  phase: Phase;
  /** Articles that have not changed since they were last read with the same model are read too. */
  everything: boolean;
  position: Position | null;
  /** Number of the step that is to be done next. */
  step: number;
  /** Code of what the run waits for; null if for nothing. */
  waiting: string | null;
  /** Code of why it failed, and the same for people. */
  reason: string | null;
  detail: string | null;
  started: string;
  ended: string | null;
}

/** Why an article of a list is not read. The last four are what reading it came to. */
export type LeftOut =
  /** Not a title that the wiki allows. */
  | 'invalid_title'
  | 'not_article'
  /** Another title of the list leads to the same page. */
  | 'duplicate'
  /** Not changed since it was last read with the same model. */
  | 'unchanged'
  /** Its job failed for good. */
  | 'failed'
  | 'cancelled'
  | 'missing'
  | 'hidden'
  | 'too_large'
  | 'unrenderable';

/** `listed`: known by title; `ready`: known to the wiki; `enqueued`: handed on; then `read`, or `left_out`. */
export type MemberState = 'listed' | 'ready' | 'enqueued' | 'read' | 'left_out';

/** Importance as WikiProjects have it: 4 top, 3 high, 2 mid, 1 low, 0 unknown. */
export const IMPORTANCE: Readonly<Record<string, number>> = { top: 4, high: 3, mid: 2, low: 1 };

/** The name under which everything of a run is known to the queues. */
export function requestOf({ worklist, number }: Pick<Run, 'worklist' | 'number'>): string {
  return `w${worklist}_${number}`;
}

/** null for a request of somebody else. */
export function parseRequest(request: string): { worklist: number; number: number } | null {
  const match = /^w(\d+)_(\d+)$/.exec(request);
  return match === null ? null : { worklist: Number(match[1]), number: Number(match[2]) };
}

/** As wikis show a title: spaces, one Unicode form. */
export function cleanTitle(title: string): string {
  return title.normalize('NFC').replaceAll('_', ' ').trim();
}

/** Every wiki takes the English name of the namespace beside its own. */
export function categoryTitle(title: string): string {
  return title.includes(':') ? title : `Category:${title}`;
}

/** A list that can't be had and won't be by waiting: there is none, or it is of another wiki. */
export class ListRefused extends RequestError {
  override readonly name: string = 'ListRefused';
}
