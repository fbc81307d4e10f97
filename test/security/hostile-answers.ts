/** What a review service and a wiki would answer that want to harm who reads with the gadget: the given texts in every field. */
import type { Route } from 'playwright-core';
import type { Finding } from '../../shared/citation.ts';
import { Found, FoundVerdict, Row } from '../../shared/found.ts';
import { fill, hostileFinding } from './hostile-finding.ts';

/** `honest`: the last of the findings, whose claim stands in the article. */
export function answerAsService(texts: readonly string[], honest: () => Finding) {
  const rows = texts.map((text, at) => rowOf(at + 1, daysOf(hostileFinding(text, at + 1), text)));
  let refused = 0;
  const refusal = () => {
    const text = texts[refused++ % texts.length] ?? '';
    return { error: text, message: text };
  };
  const answers: Record<string, (id: string) => object> = {
    checks: (id) => checkOf(id, texts),
    pages: () => ({ counts: COUNTS, optedOut: true, checkedAt: texts.join('\n') }),
    findings: (id) => {
      if (id === 'counts') return { counts: COUNTS };
      return { findings: [...rows, rowOf(HONEST, honest())], coverage: { claims: 2, checked: 1 }, next: 9 };
    },
  };
  return async (route: Route): Promise<void> => {
    const { pathname } = new URL(route.request().url());
    const [, , kind = '', id = '', events] = pathname.split('/');
    const method = route.request().method();
    if (method === 'POST') return route.fulfill({ status: 400, headers: CORS, json: refusal() });
    if (method === 'OPTIONS') return route.fulfill({ status: 204, headers: CORS });
    if (events !== undefined) return route.fulfill({ status: 404, headers: CORS });
    await route.fulfill({ headers: CORS, json: answers[kind]?.(id) });
  };
}

/** `batch`: which of the texts are in its answers now. Its own answers for all that shows no text. */
export function answerAsWiki(texts: readonly string[], batch: () => readonly string[]) {
  let warned = 0;
  return async (route: Route): Promise<void> => {
    const request = route.request();
    const asked = new URLSearchParams(`${new URL(request.url()).search.slice(1)}&${request.postData() ?? ''}`);
    const fields = request.postData()?.includes('form-data') ? '' : asked.get('action');
    const config = { summaries: { replace: texts[0] }, reportTemplate: texts.join(' ') };
    const content = JSON.stringify(config);
    if (asked.get('titles') === 'MediaWiki:Gadget-sidelight.json')
      return route.fulfill({ json: { query: { pages: [{ revisions: [{ slots: { main: { content } } }] }] } } });
    if (fields === 'compare') return route.fulfill({ json: { compare: { body: diffOf(batch()) } } });
    if (fields === 'parse') return route.fulfill({ json: { parse: { text: `${batch().join('\n')}` } } });
    if (fields !== 'edit') return route.continue();
    const text = `${sayingOf(warned)} ${texts[warned++ % texts.length]}`;
    await route.fulfill({ json: { errors: [{ code: 'abusefilter-warning', text, module: 'edit' }] } });
  };
}

/** What the wiki's refusal of an edit begins with. */
export function sayingOf(at: number): string {
  return `No ${at}:`;
}

/** Number of the finding that can be mended. */
export const HONEST = 9000;

/** Found for four texts each, and one that goes on, at stages with such names. */
export function keptChecks(texts: readonly string[], page: string) {
  const key = texts[0] ?? '';
  return [...groupsOf(texts).keys(), 'running'].map((at) => {
    const subject = { kind: 'sentence', text: groupsOf(texts)[Number(at)]?.[0] ?? key };
    return { id: `c${at}`, key, page, subject };
  });
}

function checkOf(id: string, texts: readonly string[]): object {
  const plain = { id, reason: null, idleSince: null, claims: null, etaSeconds: null };
  const stages = [...texts, ...INHERITED].map((stage) => ({ stage, done: 0, total: 1, failed: 0 }));
  if (id === 'crunning') return { ...plain, state: 'running', stages, found: null };
  return { ...plain, state: 'done', stages: [], found: foundFor(groupsOf(texts)[Number(id.slice(1))] ?? []) };
}

function foundFor(texts: readonly string[]): object {
  const rows = texts.map((text) => ({ ...fill(Row, text), publishedAt: text }));
  const verdict = FoundVerdict.options[texts.length % FoundVerdict.options.length];
  return { ...fill(Found, texts[0] ?? ''), verdict, noWordKnown: true, supports: rows, refutes: rows, other: rows };
}

export function groupsOf(texts: readonly string[]): string[][] {
  return texts.flatMap((_, at) => (at % 4 === 0 ? [texts.slice(at, at + 4)] : []));
}

function rowOf(id: number, finding: Finding): object {
  return { id, state: 'open', closedBecause: null, decision: null, finding };
}

/** Days, which the service gives as days alone. */
function daysOf(finding: Finding, text: string): Finding {
  return { ...finding, citations: finding.citations.map((citation) => ({ ...citation, archivedAt: text })) };
}

/** As it stands, and as the wiki would write it. */
function diffOf(texts: readonly string[]): string {
  const written = texts.flatMap((text) => [text, text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')]);
  const rows = written.map((text) => `<tr><td class="diff-deletedline"><div>${text}<del>${text}</del></div></td></tr>`);
  return `<tr><td class="diff-lineno">${texts[0]}</td></tr>${rows.join('')}<tr><td class="diff-context">${texts[1]}</td></tr>`;
}

const COUNTS = { contradicted: 3, unsourced: 1 };
const CORS = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
/** What every object answers to. */
export const INHERITED = ['constructor', '__proto__', 'toString'];
