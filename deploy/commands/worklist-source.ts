/** Options of `sidelight worklist add` → where the list has its articles from. */
import { basename } from 'node:path';
import { ListSource } from '../../bot/worklists/worklist.ts';
import { RequestError } from '../../shared/errors.ts';

/** Exactly one of them, and `depth` with the first two. */
export interface SourceOptions {
  category?: string;
  assessment?: string;
  depth?: number;
  pagepile?: number;
  petscan?: number;
  file?: string;
  search?: string;
  linksTo?: string;
  createdBy?: string;
}

/** `titles`: how many the file has. Throws RequestError for none, several, or one that can't be. */
export function toSource(options: SourceOptions, titles: number): ListSource {
  const { category, assessment, depth, pagepile, petscan, file, search, linksTo, createdBy } = options;
  const given = [
    category !== undefined && { kind: 'category', title: category, depth: depth ?? 0 },
    assessment !== undefined && { kind: 'assessment', title: assessment, depth: depth ?? 1 }, // classes are subcategories
    pagepile !== undefined && { kind: 'pagepile', id: pagepile },
    petscan !== undefined && { kind: 'petscan', id: petscan },
    file !== undefined && { kind: 'file', name: basename(file), titles },
    search !== undefined && { kind: 'search', query: search },
    linksTo !== undefined && { kind: 'links', title: linksTo },
    createdBy !== undefined && { kind: 'creations', user: createdBy },
  ].filter((source) => source !== false);
  if (given.length !== 1) throw new RequestError('one_source', `${CHOICES}: one of them, and not ${given.length}`);
  if (depth !== undefined && category === undefined && assessment === undefined) {
    throw new RequestError('no_depth', '--depth goes with --category and --assessment');
  }
  const source = ListSource.safeParse(given[0]);
  if (source.success) return source.data;
  const issue = source.error.issues[0];
  throw new RequestError('bad_source', `${issue?.path.join('.')}: ${issue?.message}`);
}

const CHOICES =
  'a worklist is from --category, --assessment, --pagepile, --petscan, --file, --search, --links-to or --created-by';
