/**
 * A person gives the text of a finding's source: a form in, a job out that checks the claim again at once. The text is kept apart
 * and private (`workers/source/given.ts`), and never served. Errors are answered where this is registered: `pages.ts`.
 */
import multipart, { type MultipartFile, type MultipartValue } from '@fastify/multipart';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { CheckedCitation } from '../../../shared/citation.ts';
import { RequestError } from '../../../shared/errors.ts';
import { hashCitations } from '../../../shared/hash.ts';
import { type Next, PRIORITY } from '../../../shared/pipeline.ts';
import type { Publisher } from '../../../shared/queue.ts';
import type { Extract } from '../../source/extract/extract.ts';
import { type Given, MAX_GIVEN, readGiven } from '../../source/given.ts';
import { typeOfFile } from '../../source/page.ts';
import type { Assets } from '../assets.ts';
import type { Findings } from '../findings.ts';
import { refuseStrangeForm } from '../guard.ts';
import type { Row } from '../queue.ts';
import { parseId, parseList } from '../request.ts';
import { requireRole } from '../session/actor.ts';
import { givenAddress, givenPage } from '../views/given.ts';

/** Where what is given is kept, and where the job goes. */
export interface GivenDependencies {
  given: Pick<Given, 'of' | 'put'>;
  publisher: Pick<Publisher, 'publish'>;
  /** Default: here. */
  extract?: Extract;
}

export interface GivenOptions extends GivenDependencies {
  findings: Pick<Findings, 'get'>;
  assets: Assets;
}

export function givenRoutes(options: GivenOptions): FastifyPluginAsync {
  const { findings, given, publisher, assets, extract } = options;
  return async (server) => {
    // all of it is read before the handler: the form's token is a field
    await server.register(multipart, { limits: LIMITS, attachFieldsToBody: true });
    server.get('/findings/:id/given', async (request, reply) => {
      const row = await findings.get(parseId(request.params));
      const { filter } = parseList(request.query);
      const known = [];
      for (const citation of row.finding.citations) {
        const source = (await given.of(citation.hash))?.source;
        if (source !== undefined) known.push({ citation, source });
      }
      reply.type('text/html; charset=utf-8').header('cache-control', 'no-store');
      return givenPage({ assets, viewer: request.viewer, row, filter, given: known });
    });
    const mayGive = async (request: FastifyRequest) => {
      refuseStrangeForm(request);
      requireRole(request, 'patroller');
    };
    server.post('/findings/:id/given', { onRequest: mayGive }, async (request, reply) => {
      const row = await findings.get(parseId(request.params));
      if (row.state !== 'open') throw new RequestError('conflict', 'This finding is decided or closed.');
      const form = await readForm(request);
      const citation = citationOf(row, form.citation);
      await given.put(citation, await readGiven(citation, form, Date.now(), extract));
      await publisher.publish([checkAgain(row)], PRIORITY.gadget);
      return reply.redirect(givenAddress(row.id), 303);
    });
  };
}

interface Form {
  /** Hash. */
  citation: string;
  body: Buffer;
  contentType: string;
}

/** A file counts more than what was pasted. Throws RequestError for a form without either. */
async function readForm({ body }: FastifyRequest): Promise<Form> {
  const citation = fieldOf(body, 'citation')?.value ?? '';
  const file = await readFile(partOf(body, 'file'));
  if (file !== null) return { citation, ...file };
  const pasted = fieldOf(body, 'text');
  if (pasted?.valueTruncated)
    throw new RequestError('too_large', 'It is too large: a text may have 2 MB, a PDF 15 MB.');
  if (pasted === null || pasted.value.trim() === '') {
    throw new RequestError('invalid', 'Paste a text or choose a file.');
  }
  return { citation, body: Buffer.from(pasted.value), contentType: 'text/plain; charset=utf-8' };
}

type Part = MultipartFile | MultipartValue<unknown>;

/** The last one, where a name is given several times; null for none. */
function partOf(body: unknown, name: string): Part | null {
  if (typeof body !== 'object' || body === null) return null;
  // as the plugin documents it
  const found = (body as Record<string, Part | Part[] | undefined>)[name];
  return (Array.isArray(found) ? found.at(-1) : found) ?? null;
}

function fieldOf(body: unknown, name: string): { value: string; valueTruncated: boolean } | null {
  const part = partOf(body, name);
  if (part?.type !== 'field') return null;
  return { value: String(part.value), valueTruncated: part.valueTruncated };
}

/** Null where no file was chosen: browsers send an empty one. */
async function readFile(part: Part | null): Promise<Omit<Form, 'citation'> | null> {
  if (part?.type !== 'file') return null;
  const body = await part.toBuffer();
  return body.length === 0 ? null : { body, contentType: typeOf(part.mimetype, part.filename) };
}

/** What the browser says, unless it does not know the type; then the name decides. */
function typeOf(mimetype: string, filename: string): string {
  if (mimetype.startsWith('text/') && mimetype !== 'text/html') return 'text/plain';
  return mimetype === 'application/octet-stream' || mimetype === '' ? typeOfFile(filename) : mimetype;
}

function citationOf({ finding }: Row, hash: string): CheckedCitation {
  const found = finding.citations.find((citation) => citation.hash === hash);
  if (found === undefined) throw new RequestError('not_found', 'The finding has no such source any more.');
  return found;
}

/** The same text given twice is checked twice: each has a request of its own. */
function checkAgain({ id, finding }: Row): Next {
  const { wiki, page, revision, claim, citations } = finding;
  const request = `given_${id}_${Date.now().toString(36)}`;
  const chosen = [{ claim: claim.hash, citations: hashCitations(citations) }];
  return { stage: 'articles', input: { wiki, page, revision, previous: null, scope: 'chosen', chosen, request } };
}

/** `readGiven` has the limit of each type. */
const LIMITS = {
  fileSize: MAX_GIVEN.pdf,
  files: 1,
  fields: 3,
  parts: 4,
  fieldSize: MAX_GIVEN.text,
  fieldNameSize: 100,
};
