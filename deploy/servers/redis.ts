/** A redis-server of our own on loopback, kept on disk. In: port and folder. Out: a handle that stops it. */
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type RunningServer, startServer } from './server.ts';

export interface RunningRedis extends RunningServer {
  /** `redis://127.0.0.1:port/0` */
  url: string;
}

/**
 * Never evicts, and appends every write to a file, so that no job is lost with the process. Throws RefuseToStart if it does
 * not start, e.g. because the port is taken.
 */
export async function serveRedis(options: { port: number; dir: string }): Promise<RunningRedis> {
  await mkdir(options.dir, { recursive: true });
  const server = await startServer({
    name: 'Redis',
    port: options.port,
    command: ['redis-server', ...configuration(options)],
    logFile: join(options.dir, 'redis.log'),
    answers: () => answers(options.port),
  });
  return { ...server, url: `redis://127.0.0.1:${options.port}/0` };
}

function configuration({ port, dir }: { port: number; dir: string }): string[] {
  const settings = {
    bind: '127.0.0.1',
    port,
    dir,
    daemonize: 'no',
    appendonly: 'yes',
    appendfsync: 'everysec',
    save: '',
    'maxmemory-policy': 'noeviction',
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
}

/** Not while it still loads its file: PING says LOADING then. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const signal = AbortSignal.timeout(1000);
  try {
    await once(socket, 'connect', { signal });
    socket.write('PING\r\n');
    const [reply] = await once(socket, 'data', { signal });
    return String(reply).startsWith('+PONG');
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
