/** What a simulation is told beside measured costs: how much comes, and what there is to handle it. */
import type { Measured } from './measured.ts';

export interface Scenario {
  seed: number;
  /** Simulated seconds, of which the first tenth is not counted. */
  seconds: number;
  /** Edits of articles, at random times. 0: only `burst`. */
  editsPerSecond: number;
  /** Edits that are there at the beginning. */
  burst: number;
  /** Share of edits that touch a cited claim. */
  touchedShare: number;
  /** Claims of such an edit, and citations of a claim, on the average. */
  claimsAnEdit: number;
  sourcesAClaim: number;
  /** Share of citations whose page was read within the day. */
  cachedShare: number;
  /** Share of the others that can be read and join the corpus, which one process writes. 0: it does not grow (CORPUS_GROW). */
  readableShare: number;
  /** Share of claims for which a better source is sought. */
  searchedShare: number;
  /** Dense shards, each a queue, asked beside the sparse index. */
  shards: number;
  /** Hosts that sources lie on: few of them have most. Each is asked once in `pauseSeconds`. */
  hosts: number;
  pauseSeconds: number;
  /** Replaces the measured wait of a source: how long a page of the web takes to come. Null: as measured. */
  fetchSeconds: number | null;
  /** Seconds of a core that whoever serves a source takes of the same machine: 0 but where that is checked against a run. */
  servedSeconds: number;
  fleet: Fleet;
}

/** Machines that judge; beside them one holds what there is once: bot, review service, Redis. */
export interface Fleet {
  machines: number;
  coresAMachine: number;
  /** Processes of one thread on each that drain `verification` and `suggestion`. */
  judging: number;
  /** Processes on each that drain `sources`, and that search. */
  sources: number;
  retrieval: number;
  /** All on one machine, as `sidelight start` has it: the corpus grows in the process that searches it. */
  together: boolean;
}

export function defaultScenario({ shares }: Measured): Scenario {
  return {
    ...{ seed: 1, seconds: 3600, editsPerSecond: 1, burst: 0, touchedShare: 1 },
    ...{ claimsAnEdit: shares.claimsAnEdit, sourcesAClaim: shares.sourcesAClaim, cachedShare: 0 },
    ...{ readableShare: shares.readable, searchedShare: shares.searched, shards: 1 },
    ...{ hosts: 10_000, pauseSeconds: 1, fetchSeconds: 1, servedSeconds: 0 },
    fleet: { machines: 1, coresAMachine: 8, judging: 7, sources: 1, retrieval: 1, together: false },
  };
}
