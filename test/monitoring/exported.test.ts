import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { METRICS, readMetrics } from '../../shared/metrics.ts';
import { describeWith } from '../support/describe-with.ts';

/** What a name can end in, beside the name itself. */
const SERIES = /_(bucket|sum|count)$/;
const alerts = readFileSync('deploy/monitoring/alerts.yml', 'utf8');
const dashboard = readFileSync('deploy/monitoring/grafana-dashboard.json', 'utf8');

function named(text: string): string[] {
  return [...new Set(text.match(/\b(sidelight_|process_|nodejs_)\w+/g))];
}

describe('what is watched', () => {
  it.each([
    ['alerts', alerts],
    ['dashboard', dashboard],
  ])('%s: every metric is one that the program exports', async (_name, text) => {
    const { text: exported } = await readMetrics();
    const known = new Set([...exported.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name));
    const unknown = named(text).filter((name) => !known.has(name) && !known.has(name.replace(SERIES, '')));
    expect(unknown).toEqual([]);
    expect(named(text).length).toBeGreaterThan(10);
  });

  it('every metric but those of plain curiosity is shown in the dashboard', () => {
    const shown = new Set(named(dashboard).map((name) => name.replace(SERIES, '')));
    expect(Object.keys(METRICS).filter((name) => !shown.has(name))).toEqual([]);
  });

  it('every label that is asked for is one that the metric has', () => {
    const asked = [...`${alerts}${dashboard.replaceAll('\\"', '"')}`.matchAll(/(sidelight_\w+)\{([^}]*)\}/g)];
    for (const [, name = '', selectors = ''] of asked) {
      const metric = Object.entries(METRICS).find(([known]) => known === name || known === name.replace(SERIES, ''));
      const labels = [...selectors.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label]) => label);
      expect([name, labels.filter((label) => !new Set<string>(metric?.[1].labels).has(label ?? ''))]).toEqual([
        name,
        [],
      ]);
    }
    expect(asked.length).toBeGreaterThan(10);
  });

  it('each alert says in one sentence or two what to do', () => {
    const summaries = alerts.match(/summary: ".+"/g) ?? [];
    expect(summaries).toHaveLength(alerts.match(/- alert:/g)?.length ?? 0);
    for (const summary of summaries) expect(summary).toMatch(/[.;:] .+\."$/);
  });
});

describeWith(['promtool'], 'Prometheus itself', () => {
  it.each([
    ['check', 'rules', 'deploy/monitoring/alerts.yml'],
    ['check', 'config', 'deploy/monitoring/prometheus.yml'],
    ['test', 'rules', 'test/monitoring/alerts.test.yml'],
  ])('promtool %s %s %s', (...command) => {
    expect(execFileSync('promtool', command, { encoding: 'utf8', stdio: 'pipe' })).toContain('SUCCESS');
  });
});
