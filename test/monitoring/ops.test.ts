import { type Ops, serveOps } from '../../deploy/servers/ops.ts';
import { unanswered } from '../../shared/health.ts';
import { count, observe, onRead, readMetrics, set } from '../../shared/metrics.ts';
import { countAmong, mostAsked } from '../../workers/source/fetched-hosts.ts';

describe('how a process is', () => {
  let ops: Ops;
  beforeEach(async () => {
    ops = await serveOps({ host: '127.0.0.1', port: 0 });
  });
  afterEach(() => ops.close());

  async function ask(path: string): Promise<[number, string]> {
    const response = await fetch(`http://127.0.0.1:${ops.port}${path}`);
    return [response.status, await response.text()];
  }

  it('it lives while it starts, and is not ready', async () => {
    expect(await ask('/healthz')).toEqual([200, '{"ok":true}\n']);
    expect(await ask('/readyz')).toEqual([503, '{"waiting":["start"]}\n']);
  });

  it('it is ready while what it needs answers, and names what does not', async () => {
    let sql = async () => undefined;
    ops.began(() => unanswered({ redis: async () => 'PONG', sql: () => sql() }));
    expect(await ask('/readyz')).toEqual([200, '{"waiting":[]}\n']);
    sql = async () => Promise.reject(new Error('away'));
    expect(await ask('/readyz')).toEqual([503, '{"waiting":["sql"]}\n']);
    const [, metrics] = await ask('/metrics');
    expect(metrics).toContain('sidelight_need_up{need="redis"} 1');
    expect(metrics).toContain('sidelight_need_up{need="sql"} 0');
  });

  it('it lives and is not ready while it stops', async () => {
    ops.began(async () => []);
    ops.stopping();
    expect(await ask('/healthz')).toEqual([200, '{"ok":true}\n']);
    expect(await ask('/readyz')).toEqual([503, '{"waiting":["stopping"]}\n']);
  });

  it('what hangs is away', async () => {
    expect(await unanswered({ redis: () => new Promise(() => undefined) }, 5)).toEqual(['redis']);
  });

  it('there is nothing else, and nothing to change', async () => {
    expect((await ask('/'))[0]).toBe(404);
    const response = await fetch(`http://127.0.0.1:${ops.port}/healthz`, { method: 'POST' });
    expect(response.status).toBe(404);
  });

  it('a port that is taken is said so', async () => {
    await expect(serveOps({ host: '127.0.0.1', port: ops.port })).rejects.toThrow(/OPS_PORT.*EADDRINUSE/);
  });
});

describe('metrics', () => {
  it('count, measure and stand at', async () => {
    count('sidelight_jobs_dropped_total', { reason: 'queue_full' }, 3);
    observe('sidelight_job_seconds', { queue: 'sources', outcome: 'done' }, 0.2);
    set('sidelight_event_lag_seconds', {}, 12);
    const { text } = await readMetrics();
    expect(text).toContain('sidelight_jobs_dropped_total{reason="queue_full"} 3');
    expect(text).toContain('sidelight_job_seconds_count{queue="sources",outcome="done"} 1');
    expect(text).toContain('sidelight_event_lag_seconds 12');
    expect(text).toContain('process_resident_memory_bytes');
  });

  it('a gauge that can no longer be asked for is left out, and the others are not', async () => {
    let redis = async () => set('sidelight_queue_workers', { queue: 'sources' }, 2);
    const end = onRead(['sidelight_queue_workers'], () => redis());
    expect((await readMetrics()).text).toContain('sidelight_queue_workers{queue="sources"} 2');
    redis = async () => Promise.reject(new Error('away'));
    const { text } = await readMetrics();
    expect(text).not.toContain('sidelight_queue_workers{');
    expect(text).toContain('process_resident_memory_bytes');
    redis = () => new Promise(() => undefined); // it hangs
    expect((await readMetrics()).text).toContain('process_resident_memory_bytes');
    end();
  });

  it('of a million hosts some are known, and the one that is asked most is', () => {
    const known = new Map<string, number>();
    for (let n = 0; n < 20_000; n += 1) {
      countAmong(known, `host-${n}.example`, 100);
      if (n % 10 === 0) countAmong(known, 'busy.example', 100);
    }
    expect(known.size).toBe(100);
    expect(mostAsked(known, 1)[0]?.[0]).toBe('busy.example');
  });
});
