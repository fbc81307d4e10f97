/** Run as a process of its own: builds the generation `isle` and tells how far it is. In: a folder and a file. Exits when it is done. */
import { buildGeneration } from '../../../../workers/retrieval/corpus/build.ts';
import { isleInput } from './isle.ts';
import { openWorkshop } from './workshop.ts';

const [directory = '', file = ''] = process.argv.slice(2);
const onProgress = (progress: object) => void process.send?.(progress);
const dependencies = { ...openWorkshop(directory).dependencies, onProgress };
await buildGeneration(
  dependencies,
  { generation: 'isle', inputs: [isleInput(file)], shards: 2 },
  new AbortController().signal,
);
process.disconnect();
