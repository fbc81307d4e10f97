/** The review service, as the gadget asks it: one origin, no keys, no cookies. Its answers are shown as text, never as HTML. */
import type { Coverage, Row } from './state.ts';

export interface PageFindings {
  rows: Row[];
  coverage: Coverage | null;
}

/** Both reject if the service can't be reached. */
export interface Service {
  /** What is to be mended on an article, or decided: all that is not simply supported. */
  findings(wiki: string, page: string): Promise<PageFindings>;
  finding(id: number): Promise<Row>;
}

export function createService(origin: string): Service {
  return {
    async findings(wiki, page) {
      const query = new URLSearchParams({ wiki, page, state: 'unmended', limit: '200' });
      const body = (await ask(`${origin}/api/findings?${query}`)) as { coverage: Coverage | null; findings: Row[] };
      return { rows: body.findings, coverage: body.coverage };
    },
    async finding(id) {
      return (await ask(`${origin}/api/findings/${id}`)) as Row;
    },
  };
}

/** The service's own schemas made what it answers: hence the casts. */
async function ask(url: string): Promise<unknown> {
  const response = await fetch(url, { credentials: 'omit' });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.json();
}
