/** What `sidelight corpus` says to a person. In: what was built, or what is there. Out: text. */
import Table from 'cli-table3';
import type { Built } from '../../workers/retrieval/corpus/build.ts';
import type { LeftOut } from '../../workers/retrieval/corpus/build-tally.ts';
import type { GenerationStats, Share } from '../../workers/retrieval/corpus/stats.ts';

export function describeBuilt({ manifest, ...leftOut }: Built): string {
  const { generation, shards } = manifest;
  const types = shards.map(({ shard, sealed }) => `${shard} ${sealed?.type ?? 'growing'}`).join(', ');
  return [
    `${generation} has ${count(manifest.pages, 'page')}, ${count(manifest.passages, 'passage')}, shards: ${types}`,
    ...describeLeftOut(leftOut),
  ].join('\n');
}

/** One table a generation; one line where there is none. */
export function describeStats(stats: readonly GenerationStats[]): string {
  if (stats.length === 0)
    return 'there is no corpus yet: `sidelight corpus build` makes one, `sidelight start` grows one';
  return stats.map(describeGeneration).join('\n\n');
}

function describeGeneration(stats: GenerationStats): string {
  const { details, shards } = stats;
  const table = new Table({ style: { head: [], border: [], compact: true } });
  table.push(
    { pages: spell(stats.pages) },
    { passages: spell(stats.passages) },
    { 'sparse arm': `${stats.sparse.engine}, ${stats.sparse.index}` },
    { encoder: `${stats.encoder.version}, ${stats.encoder.dimensions} dimensions` },
    { shards: shards.map(({ shard, type, bytes }) => `${shard}: ${type}, ${spell(bytes)} bytes`).join('\n') },
  );
  if (details === null) table.push({ files: 'not on this host' });
  else table.push({ languages: describeShares(details.languages) }, { domains: describeShares(details.domains) });
  const state = [stats.current && 'searched now', stats.state === 'building' && 'not built to its end'].filter(Boolean);
  const head = [stats.generation, ...state, stats.createdAt].join(', ');
  return [head, table.toString(), ...(details === null ? [] : describeLeftOut(details))].join('\n');
}

function describeShares(shares: readonly Share[]): string {
  return shares
    .map(({ name, pages, passages }) => `${name || 'unknown'}: ${count(pages, 'page')}, ${count(passages, 'passage')}`)
    .join('\n');
}

/** The broken entries that are kept, and how many more there are. */
function describeLeftOut({ broken, duplicates }: LeftOut): string[] {
  const { url, content, near } = duplicates;
  const codes = Object.entries(broken.byCode).map(([code, times]) => `${code} ${times}`);
  const lines: string[] = [];
  if (url + content + near > 0)
    lines.push(`left out as copies: ${url} by address, ${content} by their words, ${near} nearly the same`);
  if (broken.count > 0) lines.push(`broken: ${count(broken.count, 'entry', 'entries')} (${codes.join(', ')})`);
  for (const { input, position, code, detail } of broken.first)
    lines.push(`  ${input}, entry ${position}: ${code}: ${detail}`);
  if (broken.count > broken.first.length) lines.push(`  and ${spell(broken.count - broken.first.length)} more`);
  return lines;
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${spell(number)} ${number === 1 ? one : many}`;
}

function spell(number: number): string {
  return number.toLocaleString('en');
}
