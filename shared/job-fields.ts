/** What a job is about, for logs and traces: where its claim stands, never a text. In: a payload. Out: small fields. */
import { z } from 'zod';

export interface JobFields {
  wiki?: string;
  page?: number;
  revision?: number;
  claim?: string;
  request?: string;
}

/** Of a payload of any version; what is not there or not as expected is left out. */
export function jobFields(data: unknown): JobFields {
  const input = Known.safeParse(data).data?.input;
  if (input === undefined) return {};
  const at = input.finding ?? input;
  const claim = at.claim?.hash ?? input.claimHash;
  return {
    ...(at.wiki !== undefined && { wiki: at.wiki }),
    ...(at.page !== undefined && { page: at.page.id }),
    ...(at.revision !== undefined && { revision: at.revision }),
    ...(claim !== undefined && { claim }),
    ...(input.request !== undefined && { request: input.request }),
  };
}

const name = z.string().max(300).optional().catch(undefined);
const number = z.number().optional().catch(undefined);
const At = z.object({
  wiki: name,
  page: z.object({ id: z.number() }).optional().catch(undefined),
  revision: number,
  claim: z.object({ hash: z.string() }).optional().catch(undefined),
});
const Known = z.object({
  input: At.extend({ claimHash: name, request: name, finding: At.optional().catch(undefined) }),
});
