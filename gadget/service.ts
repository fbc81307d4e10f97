/** The review service, as the gadget asks it: one origin, no keys, no cookies. Its answers are shown as text, never as HTML. */
import type { Coverage, Row } from './state.ts';

export interface PageFindings {
  rows: Row[];
  coverage: Coverage | null;
}

export interface Service {
  /** All findings of an article, open and closed. Rejects if the service can't be reached. */
  findings(wiki: string, page: string): Promise<PageFindings>;
}

export function createService(origin: string): Service {
  return {
    async findings(wiki, page) {
      const query = new URLSearchParams({ wiki, page, state: 'all', limit: '200' });
      const response = await fetch(`${origin}/api/findings?${query}`, { credentials: 'omit' });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      // the service's own schema made this; the gadget treats every field as text
      const body = (await response.json()) as { coverage: Coverage | null; findings: Row[] };
      return { rows: body.findings, coverage: body.coverage };
    },
  };
}
