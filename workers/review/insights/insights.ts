/** All figures of the insights, each asked of the database once a minute at most. */
import type { Kysely } from 'kysely';
import type { Schema } from '../database.ts';
import { decisionsByProject, decisionsOverTime } from './activity.ts';
import { FIGURES, type Figure, type FigureId } from './figure.ts';
import { funnel } from './funnel.ts';
import { modelVersions } from './models.ts';
import { precision } from './precision.ts';
import { failingHosts, unreadReasons } from './unread.ts';

export interface Insights {
  figure(id: FigureId): Promise<Figure>;
  all(): Promise<Figure[]>;
}

/** `now`: ms. */
export function createInsights(db: Kysely<Schema>, now: () => number = Date.now): Insights {
  const kept = new Map<FigureId, { figure: Promise<Figure>; at: number }>();
  const figure = (id: FigureId) => {
    const known = kept.get(id);
    if (known !== undefined && now() - known.at < KEPT_MS) return known.figure;
    const asked = ASK[id](db, now());
    asked.catch(() => kept.delete(id));
    kept.set(id, { figure: asked, at: now() });
    return asked;
  };
  return { figure, all: () => Promise.all(FIGURES.map(figure)) };
}

const KEPT_MS = 60_000;

const ASK: Record<FigureId, (db: Kysely<Schema>, now: number) => Promise<Figure>> = {
  precision,
  decisions: decisionsOverTime,
  projects: decisionsByProject,
  funnel,
  unread: unreadReasons,
  hosts: failingHosts,
  models: modelVersions,
};
