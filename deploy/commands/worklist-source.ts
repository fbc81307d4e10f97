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
  return parse(given[0]);
}

function parse(given: { kind: string } | undefined): ListSource {
  const source = ListSource.safeParse(given);
  if (source.success) return source.data;
  const issue = source.error.issues[0];
  const option = issue?.path[0] === 'depth' ? '--depth' : OPTIONS[given?.kind ?? ''];
  throw new RequestError('bad_source', `${option}: ${issue?.message}`);
}

const OPTIONS: Readonly<Record<string, string>> = {
  category: '--category',
  assessment: '--assessment',
  pagepile: '--pagepile',
  petscan: '--petscan',
  file: '--file',
  search: '--search',
  links: '--links-to',
  creations: '--created-by',
};

const CHOICES =
  'a worklist is from --category, --assessment, --pagepile, --petscan, --file, --search, --links-to or --created-by';
