/** A page → the articles that link to it, also through a redirect, or transclude it: what Special:WhatLinksHere shows. */
import { z } from 'zod';
import type { Ask } from '../wiki.ts';
import { askList } from './api-list.ts';
import type { Collected } from './collect.ts';
import { cleanTitle, type Position } from './worklist.ts';

/** Links first, then transclusions. A page that is not there may have links to it. */
export async function collectLinks(
  ask: Ask,
  title: string,
  position: Position | null,
  signal?: AbortSignal,
): Promise<Collected> {
  const params = { ...LINKS, bltitle: title, eititle: title };
  const { answer, next } = await askList(ask, Answer, params, position, signal);
  const { backlinks, embeddedin } = answer.query;
  const rows = [...backlinks.flatMap(({ redirlinks = [], ...row }) => [row, ...redirlinks]), ...embeddedin];
  const articles = rows.filter(({ ns, redirect }) => ns === 0 && redirect !== true);
  return { found: articles.map((row) => ({ title: cleanTitle(row.title), importance: 0 })), next };
}

const LINKS = {
  list: 'backlinks|embeddedin',
  blredirect: true,
  bllimit: 'max',
  eilimit: 'max',
  einamespace: 0,
  eifilterredir: 'nonredirects',
};
const Row = z.object({ ns: z.int(), title: z.string(), redirect: z.boolean().optional() });
const Answer = z.object({
  query: z.object({
    backlinks: z.array(Row.extend({ redirlinks: z.array(Row).optional() })).default([]),
    embeddedin: z.array(Row).default([]),
  }),
});
