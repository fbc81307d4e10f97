/** How full the disk of a folder is, told whenever metrics are read. */
import { statfs } from 'node:fs/promises';
import { onRead, set } from '../../shared/metrics.ts';

/** Returns what ends it. */
export function tellDisk(folder: string): () => void {
  return onRead(['sidelight_disk_free_bytes', 'sidelight_disk_size_bytes'], async () => {
    const { bavail, blocks, bsize } = await statfs(folder);
    set('sidelight_disk_free_bytes', {}, bavail * bsize);
    set('sidelight_disk_size_bytes', {}, blocks * bsize);
  });
}
