/** The database of worklists: lists, their runs, and the articles of each run. Several processes may open it. Asks no wiki. */
import { openDatabase } from '../../workers/sqlite.ts';
import { createLists, type Lists } from './lists.ts';
import { createMembers, type Members } from './members.ts';
import { createRuns, type Runs } from './runs.ts';
import { SCHEMA } from './schema.ts';

export interface WorklistStore {
  lists: Lists;
  runs: Runs;
  members: Members;
  close(): void;
}

/** Throws RefuseToStart for a file of a newer version. */
export function openWorklists(path: string): WorklistStore {
  const database = openDatabase(path, SCHEMA);
  const members = createMembers(database);
  return {
    lists: createLists(database),
    runs: createRuns(database),
    members,
    close: () => void database.close(),
  };
}
