/** What the benchmark of retrieval can measure. Apart from its code, so that the command line can name the parts without loading it. */

export const PARTS = ['elasticsearch', 'encode', 'faiss', 'find', 'shards', 'sparse'] as const;
export type BenchPart = (typeof PARTS)[number];
