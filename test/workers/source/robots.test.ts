import { createFetch } from '../../../workers/source/fetch.ts';
import { createRobots } from '../../../workers/source/robots.ts';
import { type Routes, startWeb } from '../../support/web.ts';

const signal = new AbortController().signal;

async function ask(routes: Routes, paths: string[]) {
  const web = await startWeb(routes);
  const fetch = createFetch({ userAgent: 'Sidelight/0.1 (test)', allowLoopback: true, gateway: null });
  const { admit } = createRobots({ fetch, userAgent: 'Sidelight/0.1 (test)' });
  const answers: (string | null)[] = [];
  for (const path of paths) answers.push((await admit(new URL(path, web.origin), signal))?.reason ?? null);
  await web.close();
  return answers;
}

test('a page that robots.txt closes to us is not read; the rules are fetched once', async () => {
  let times = 0;
  const rules = 'User-agent: sidelight\nDisallow: /closed\n\nUser-agent: *\nDisallow: /\n';
  const robots: Routes[string] = (_, response) => {
    times += 1;
    response.end(rules);
  };
  expect(await ask({ '/robots.txt': robots }, ['/closed/a', '/open', '/'])).toEqual(['robots', null, null]);
  expect(times).toBe(1);
});

test('a host without robots.txt is open', async () => {
  expect(await ask({}, ['/anything'])).toEqual([null]);
});

test('a host whose robots.txt fails is left alone, and asked again the next time', async () => {
  let times = 0;
  const robots: Routes[string] = (_, response) => {
    times += 1;
    response.writeHead(503).end();
  };
  expect(await ask({ '/robots.txt': robots }, ['/a', '/b'])).toEqual(['unreachable', 'unreachable']);
  expect(times).toBe(2);
});
