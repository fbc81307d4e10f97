/** A tool that keeps lists for wikis (PagePile, PetScan): an address → its JSON. Whatever keeps it from answering is transient. */
import { fetch } from 'undici';
import { TransientError } from '../../shared/errors.ts';
import { parseJson } from '../../shared/json.ts';
import { ListRefused } from './worklist.ts';

/** `code` names the tool that is away. */
export class ToolAway extends TransientError {
  override readonly name: string = 'ToolAway';
  readonly code: `${Tool}_away`;
  constructor(tool: Tool, detail: string, options?: ErrorOptions) {
    super(`${tool} does not answer (${detail})`, options);
    this.code = `${tool}_away`;
  }
}

export type Tool = 'pagepile' | 'petscan';

/** undefined for what is no JSON. Throws ToolAway, and ListRefused for more than 32 MiB or an answer that there is no such list. */
export async function askTool(tool: Tool, url: URL, userAgent: string, signal: AbortSignal = NEVER): Promise<unknown> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const response = await fetch(url, {
      headers: { 'user-agent': userAgent, accept: 'application/json' },
      signal: limited,
    });
    if (!response.ok) await response.body?.cancel();
    if (response.status === 404 || response.status === 410) throw noSuchList(tool);
    if (!response.ok) throw new ToolAway(tool, `HTTP ${response.status}`);
    return parseJson(await readLimited(tool, response.body ?? []));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ToolAway || error instanceof ListRefused) throw error;
    throw new ToolAway(tool, 'no connection', { cause: error });
  }
}

export function noSuchList(tool: Tool): ListRefused {
  return new ListRefused('no_such_list', `${tool} has no such list`);
}

async function readLimited(tool: Tool, body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) throw new ListRefused('list_too_large', `${tool} gives more than 32 MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const MOST_BYTES = 32 * 2 ** 20;
/** A query of PetScan may take minutes. */
const TIMEOUT_MS = 240_000;
const NEVER = new AbortController().signal;
