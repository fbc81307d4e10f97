/** The API's document as a page. In: OpenAPI. Out: every route with who may ask, what it takes and what it answers; no script. */
import { html } from 'ghtml';
import { z } from 'zod';
import type { Assets } from '../assets.ts';
import type { Viewer } from '../session/people.ts';
import { layout } from './layout.ts';

export interface DocsView {
  assets: Assets;
  viewer: Viewer;
  /** An OpenAPI document; what of it is shown is parsed here. */
  document: unknown;
}

export function docsPage({ assets, viewer, document }: DocsView): string {
  const { info, tags, paths, components } = Document.parse(document);
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const sections = tags.map((tag) =>
    section(
      tag,
      routes.filter(({ operation }) => operation.tags.includes(tag.name)),
    ),
  );
  const body = html`
<div class="page-head service-intro"><h1>API</h1>
<p>${info.description.replaceAll('\n', ' ')}</p>
<p><a href="/api/openapi.json">OpenAPI document</a>. Maintainers make tokens at <a href="/account/tokens">their account</a>.</p></div>
<nav class="docs-index" aria-label="Parts of the API"><ul>!${tags.map(({ name }) => html`<li><a href="#${name}">${name}</a></li>`)}</ul></nav>
!${sections}
<section id="schemas"><h2>Schemas</h2>!${Object.entries(components.schemas).map(([name, schema]) => schemaDetails(`schema-${name}`, name, schema))}</section>`;
  return layout({ assets, title: 'API', body, viewer });
}

interface Route {
  path: string;
  method: string;
  operation: z.infer<typeof Operation>;
}

function section({ name, description }: { name: string; description: string }, routes: readonly Route[]): string {
  if (routes.length === 0) return '';
  return html`<section id="${name}"><h2>${name}</h2><p class="quiet">${description}</p>!${routes.map(routeOf)}</section>`;
}

function routeOf({ path, method, operation }: Route): string {
  const { summary, description, parameters, requestBody, responses, security } = operation;
  const body = requestBody?.content['application/json']?.schema;
  return html`
<article class="docs-route">
<h3><code><span class="docs-method">${method}</span> ${path}</code></h3>
<p>${summary}. <span class="quiet">${whoMay(security)}</span></p>
!${description === undefined ? '' : html`<p>${description.replaceAll('\n', ' ')}</p>`}
!${parameters.length === 0 ? '' : parametersTable(parameters)}
!${body === undefined ? '' : schemaDetails(null, 'Takes', body)}
<table class="docs-table"><caption class="visually-hidden">Answers of ${method} ${path}</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Answer</th></tr></thead>
<tbody>!${Object.entries(responses).map(answerRow)}</tbody></table>
</article>`;
}

function whoMay(security: readonly Record<string, unknown>[] | undefined): string {
  if (security === undefined) return 'Anybody may.';
  return security.some((one) => 'token' in one) ? 'Maintainers, by session or token.' : 'Patrollers, by session.';
}

function parametersTable(parameters: readonly z.infer<typeof Parameter>[]): string {
  const rows = parameters.map(
    ({
      name,
      in: where,
      required,
      description,
      schema,
    }) => html`<tr><td><code>${name}</code></td><td>${where}!${required ? ', needed' : ''}</td>
<td>${[description, brief(schema)].filter((text) => text !== undefined).join('. ')}</td></tr>`,
  );
  return html`<table class="docs-table"><thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Value</th></tr></thead>
<tbody>!${rows}</tbody></table>`;
}

function answerRow([status, { description, content }]: [string, z.infer<typeof Answer>]): string {
  const entry = Object.entries(content ?? {})[0];
  const shown = entry === undefined ? '' : answerSchema(entry[0], entry[1].schema);
  const said = description === 'Default Response' ? '' : html`${description} `;
  return html`<tr><td>${status}</td><td>!${said}!${shown}</td></tr>`;
}

function answerSchema(type: string, schema: unknown): string {
  const name = refOf(schema);
  if (name === 'Failure') return '';
  if (name !== null) return html`<a href="#schema-${name}">${name}</a>`;
  return type === 'application/json' ? schemaDetails(null, 'Object', schema) : html`<code>${type}</code>`;
}

function schemaDetails(id: string | null, name: string, schema: unknown): string {
  const anchor = id === null ? '' : html`id="${id}"`;
  return html`<details !${anchor}><summary>${name}</summary><pre tabindex="0" role="region" aria-label="${name} as JSON Schema">${JSON.stringify(schema, null, 1)}</pre></details>`;
}

/** Of a field in a few words. */
function brief(schema: unknown): string | undefined {
  const { type, enum: values, pattern } = Brief.parse(schema ?? {});
  if (values !== undefined) return values.join(', ');
  return type === undefined || pattern !== undefined ? undefined : [type].flat().join(' or ');
}

function refOf(schema: unknown): string | null {
  return /^#\/components\/schemas\/(\w+)$/.exec(Ref.safeParse(schema).data?.$ref ?? '')?.[1] ?? null;
}

const Ref = z.object({ $ref: z.string() });
const Brief = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown().transform(String)).optional(),
  pattern: z.string().optional(),
});
const Content = z.record(z.string(), z.object({ schema: z.unknown() }));
const Parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().default(false),
  description: z.string().optional(),
  schema: z.unknown(),
});
const Answer = z.object({ description: z.string().default(''), content: Content.optional() });
const Operation = z.object({
  tags: z.array(z.string()).default([]),
  summary: z.string().default(''),
  description: z.string().optional(),
  parameters: z.array(Parameter).default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), Answer).default({}),
  security: z.array(z.record(z.string(), z.unknown())).optional(),
});
const Document = z.object({
  info: z.object({ description: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()).default({}) }),
});
