/** A user → the articles that they began, newest first. */
import { z } from 'zod';
import type { Ask } from '../wiki.ts';
import { askList } from './api-list.ts';
import type { Collected } from './collect.ts';
import { cleanTitle, type Position } from './worklist.ts';

export async function collectCreations(
  ask: Ask,
  user: string,
  position: Position | null,
  signal?: AbortSignal,
): Promise<Collected> {
  const { answer, next } = await askList(ask, Answer, { ...CREATIONS, ucuser: user }, position, signal);
  return { found: answer.query.usercontribs.map(({ title }) => ({ title: cleanTitle(title), importance: 0 })), next };
}

const CREATIONS = { list: 'usercontribs', ucnamespace: 0, ucshow: 'new', ucprop: 'title', uclimit: 'max' };
const Answer = z.object({ query: z.object({ usercontribs: z.array(z.object({ title: z.string() })) }) });
