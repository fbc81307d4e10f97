import { type Served, serve } from './served.ts';

let served: Served;
beforeEach(async () => {
  served = await serve();
});
afterEach(() => served.close());

test('a page says who is signed in', async () => {
  const ann = await served.signIn('Ann');
  const page = await (await fetch(`${served.origin}/account`, { headers: ann.headers })).text();
  expect(page).toContain('<bdi>Ann</bdi>');
  expect(await (await fetch(served.origin)).text()).toContain('>Sign in</a>');
});
