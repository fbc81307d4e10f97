/** How the harness speaks to the wiki and the web on their hosts. In: values by name. Out: a JSON object. Only this machine reaches it. */
import { createServer } from 'node:http';
import { z } from 'zod';

const PORT = 81;

export async function serveControl(host: string, act: (values: Record<string, string>) => object): Promise<void> {
  const server = createServer((request, response) => {
    const values = Object.fromEntries(new URL(request.url ?? '/', 'http://control.invalid').searchParams);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(act(values)));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(PORT, host, resolve));
}

export async function control(address: string, values: Record<string, string>): Promise<Record<string, number>> {
  const response = await fetch(`http://${address}:${PORT}/?${new URLSearchParams(values)}`);
  return z.record(z.string(), z.number()).parse(await response.json());
}
