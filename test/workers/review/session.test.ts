/** Sessions, CSRF and bearer tokens at the service, without a wiki. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Session } from 'fastify';
import { hashSecret } from '../../../workers/review/session/secret.ts';
import { createSessionStore } from '../../../workers/review/session/store.ts';
import { aFinding } from '../../support/examples.ts';
import { type Served, type ServeOptions, type SignedIn, serve, WIKI_ORIGIN } from './served.ts';

let served: Served;
beforeEach(async () => {
  served = await serve(aFinding);
});
afterEach(() => served.close());

async function again(options: ServeOptions): Promise<void> {
  await served.close();
  served = await serve(options, aFinding);
}

function get(path: string, headers: Record<string, string> = {}) {
  return fetch(`${served.origin}${path}`, { headers, redirect: 'manual' });
}

function post(path: string, headers: Record<string, string>, form: Record<string, string> = {}) {
  const body = new URLSearchParams(form);
  return fetch(`${served.origin}${path}`, { method: 'POST', headers, body, redirect: 'manual' });
}

/** What a browser sends with a form of ours, less the token. */
function untold({ headers }: SignedIn): Record<string, string> {
  return { cookie: headers.cookie ?? '', 'sec-fetch-site': 'same-origin' };
}

describe('a session', () => {
  test('says on every page who is signed in', async () => {
    const ann = await served.signIn('Ann');
    expect(await (await get('/', ann.headers)).text()).toContain('<bdi>Ann</bdi>');
    expect(await (await get('/')).text()).toContain('>Sign in</a>');
  });

  test('has a cookie that scripts and other sites do not get, and no reader of the database can use', async () => {
    const page = await get('/sign-in');
    const cookie = page.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^sidelight=.*; Path=\/; .*HttpOnly; SameSite=Lax$/);
    const id = decodeURIComponent(/=([^;]*)/.exec(cookie)?.[1] ?? '').split('.')[0] ?? '';
    const kept = await served.db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow();
    expect(kept.id).toBe(hashSecret(id));
    expect(kept.data).not.toContain(id);
  });

  test('is bound to one host over https where the public address is', async () => {
    await again({ publicUrl: 'https://review.example', signIn: { ...SIGN_IN, client: { id: 'x', secret: null } } });
    const cookie = (await get('/sign-in')).headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^__Host-sidelight=.*; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/);
    expect(cookie).not.toMatch(/Domain/i);
  });

  test('begins only with signing in: who reads gets no cookie', async () => {
    for (const path of ['/', '/findings/1', '/api/findings']) {
      expect((await get(path)).headers.get('set-cookie')).toBeNull();
    }
    expect(await served.db.selectFrom('sessions').selectAll().execute()).toEqual([]);
  });

  test('lives on while it is used, and is over after a month without', async () => {
    const ann = await served.signIn('Ann');
    const soon = Date.now() + 60_000;
    const data = JSON.stringify({ userId: ann.id, startedAt: 1, seenAt: 1 });
    await served.db.updateTable('sessions').set({ expires_at: soon, data }).execute();
    expect((await get('/', ann.headers)).headers.get('set-cookie')).toContain('sidelight=');
    const { expires_at } = await served.db.selectFrom('sessions').select('expires_at').executeTakeFirstOrThrow();
    expect(expires_at).toBeGreaterThan(soon + 29 * 24 * 3600 * 1000);
    await served.db
      .updateTable('sessions')
      .set({ expires_at: Date.now() - 1 })
      .execute();
    expect((await get('/account', ann.headers)).status).toBe(401);
  });

  test('that somebody else put into a browser is nobody’s once a person has signed in there', async () => {
    const page = await get('/sign-in');
    const planted = page.headers.get('set-cookie')?.split(';')[0] ?? '';
    const csrf = /name="_csrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
    const entered = await post('/sign-in/local', { cookie: planted, 'sec-fetch-site': 'same-origin' }, { _csrf: csrf });
    const own = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect([entered.status, (await get('/account', { cookie: own })).status]).toEqual([303, 200]);
    expect((await get('/account', { cookie: planted })).status).toBe(401);
    const taken = { cookie: planted, 'sec-fetch-site': 'same-origin' };
    expect((await post('/sign-out/everywhere', taken, { _csrf: csrf })).status).toBe(401);
    const kept = await served.db.selectFrom('sessions').select('id').execute();
    expect(kept).toHaveLength(1);
    expect(kept[0]?.id).not.toBe(hashSecret(decodeURIComponent(planted.split('=')[1] ?? '').split('.')[0] ?? ''));
  });

  test('never gets an id that somebody else has chosen', async () => {
    const chosen = 'chosen-by-somebody-else-0123456789';
    for (const cookie of [`sidelight=${chosen}`, `sidelight=${chosen}.${'A'.repeat(43)}`]) {
      const given = (await get('/sign-in', { cookie })).headers.get('set-cookie') ?? '';
      expect(given).toContain('sidelight=');
      expect(given).not.toContain(chosen);
    }
  });

  test('that was signed out of is nobody’s in any copy of its cookie, and no other of the person’s ends', async () => {
    const [ann, elsewhere] = [await served.signIn('Ann'), await served.signIn('Ann')];
    expect((await post('/sign-out', untold(ann), { _csrf: ann.csrf })).status).toBe(303);
    expect((await get('/account', ann.headers)).status).toBe(401);
    expect(await (await get('/', ann.headers)).text()).not.toContain('Ann');
    const lease = await fetch(`${served.origin}/api/findings/1/lease`, { method: 'POST', headers: ann.headers });
    expect([401, 403]).toContain(lease.status);
    expect(await served.db.selectFrom('leases').selectAll().execute()).toEqual([]);
    expect((await get('/account', elsewhere.headers)).status).toBe(200);
  });

  test('that was ended while a request ran is not brought back by it', async () => {
    const ann = await served.signIn('Ann');
    const [id = ''] = decodeURIComponent(ann.cookies[0]?.value ?? '').split('.');
    const store = createSessionStore(served.db);
    const running = await new Promise<Session>((resolve, reject) =>
      store.get(id, (error, session) => (session == null ? reject(error) : resolve(session))),
    );
    await post('/sign-out/everywhere', untold(ann), { _csrf: ann.csrf });
    await new Promise<void>((resolve, reject) =>
      store.set(id, { ...running, seenAt: Date.now() }, (error) => (error == null ? resolve() : reject(error))),
    );
    expect(await served.db.selectFrom('sessions').selectAll().execute()).toEqual([]);
  });

  test('with a forged cookie is nobody’s', async () => {
    const ann = await served.signIn('Ann');
    const [id] = decodeURIComponent(ann.cookies[0]?.value ?? '').split('.');
    expect((await get('/account', { cookie: `sidelight=${id}.${'A'.repeat(43)}` })).status).toBe(401);
    expect((await get('/account', { cookie: 'sidelight=%00' })).status).toBe(401);
  });

  test('of another wiki’s account is nobody’s', async () => {
    const ann = await served.signIn('Ann');
    await served.db.updateTable('users').set({ wiki: 'other.example' }).execute();
    expect((await get('/account', ann.headers)).status).toBe(401);
  });
});

describe('a change that comes with a cookie', () => {
  test('is refused without a token, with a forged one, and with one of another session', async () => {
    const [ann, other] = [await served.signIn('Ann'), await served.signIn('Ben')];
    const forged = ann.csrf.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    for (const form of [{}, { _csrf: '' }, { _csrf: forged }, { _csrf: other.csrf }, { '_csrf[value]': ann.csrf }]) {
      const answer = await post('/sign-out/everywhere', untold(ann), form as Record<string, string>);
      expect(answer.status).toBe(403);
      expect(await answer.text()).toContain('not sent from a page of your session');
    }
    expect((await get('/account', ann.headers)).status).toBe(200);
  });

  test('is refused as JSON too, with a code', async () => {
    const ann = await served.signIn('Ann');
    const answer = await fetch(`${served.origin}/api/findings/1/lease`, { method: 'POST', headers: untold(ann) });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ error: 'forged' });
    expect(await served.db.selectFrom('leases').selectAll().execute()).toEqual([]);
  });

  test('is refused with the token of a session that has ended', async () => {
    const ann = await served.signIn('Ann');
    expect((await post('/sign-out', untold(ann), { _csrf: ann.csrf })).status).toBe(303);
    const back = await served.signIn('Ann');
    expect((await post('/sign-out', untold(back), { _csrf: ann.csrf })).status).toBe(403);
  });

  test('is refused from another page, whatever token it brings', async () => {
    const ann = await served.signIn('Ann');
    const { cookie = '' } = ann.headers;
    for (const from of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, { origin: 'null' }]) {
      const answer = await post('/sign-out', { cookie, ...(from as Record<string, string>) }, { _csrf: ann.csrf });
      expect(answer.status).toBe(403);
    }
    expect((await get('/account', ann.headers)).status).toBe(200);
  });
});

describe('signing in', () => {
  test('on this machine is one press, and makes a person with both roles', async () => {
    const page = await get('/sign-in?to=/findings/1');
    const cookie = page.headers.get('set-cookie')?.split(';')[0] ?? '';
    const csrf = /name="_csrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    expect((await post('/sign-in/local', headers, { to: '/findings/1' })).status).toBe(403);
    const entered = await post('/sign-in/local', headers, { to: '/findings/1', _csrf: csrf });
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/findings/1']);
    const own = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect(own).not.toBe(cookie);
    const account = await (await get('/account', { cookie: own })).text();
    expect(account).toContain('<bdi>local</bdi>');
    expect(account).toContain('As a maintainer');
    expect((await get('/account', { cookie })).status).toBe(401);
  });

  test('is not to be had where others reach the service and no client is set: the page says why', async () => {
    await again({ publicUrl: 'https://review.example' });
    const page = await (await get('/sign-in')).text();
    expect(page).toContain('OAUTH_CLIENT_ID');
    expect(page).not.toContain('<form');
    expect((await post('/sign-in/local', { 'sec-fetch-site': 'same-origin' })).status).toBe(403);
    expect(await served.db.selectFrom('users').selectAll().execute()).toEqual([]);
  });

  test('as the person of this machine holds no longer once others reach the service', async () => {
    const statusOfLocal = async () => {
      const { headers } = await served.signIn('local');
      await served.db.updateTable('users').set({ wiki: 'local', subject: 'local' }).execute();
      return (await get('/account', headers)).status;
    };
    expect(await statusOfLocal()).toBe(200);
    await again({ publicUrl: 'https://review.example' });
    expect(await statusOfLocal()).toBe(401);
  });

  test('never leads off the site', async () => {
    const { headers } = await served.signIn('Ann');
    const off = [
      '//evil.example/',
      '/\\evil.example',
      'https://evil.example/',
      'javascript:alert(1)',
      '/\t/evil.example',
    ];
    for (const to of [...off, `${served.origin}//evil.example`, '']) {
      const answer = await get(`/sign-in?to=${encodeURIComponent(to)}`, headers);
      expect(answer.headers.get('location')).toBe('/');
    }
  });

  test('begins under the name that the wiki sends people back to', async () => {
    await again({ signIn: { ...SIGN_IN, client: { id: 'x', secret: null } } });
    const answer = await fetch(`http://localhost:${served.port}/sign-in?to=/findings/1`, { redirect: 'manual' });
    expect(answer.headers.get('location')).toBe(`${served.origin}/sign-in?to=%2Ffindings%2F1`);
    const begun = new URL((await get('/sign-in')).headers.get('location') ?? '');
    expect(begun.pathname).toBe('/mediawiki/rest.php/oauth2/authorize');
    expect(Object.fromEntries(begun.searchParams)).toMatchObject({
      client_id: 'x',
      redirect_uri: `${served.origin}/oauth/callback`,
      code_challenge_method: 'S256',
    });
  });

  test('does not lead back to signing in', async () => {
    const { headers } = await served.signIn('Ann');
    for (const to of ['/sign-in?to=/x', '/oauth/callback?code=1']) {
      const answer = await get(`/sign-in?to=${encodeURIComponent(to)}`, headers);
      expect(answer.headers.get('location')).toBe('/');
    }
  });
});

describe('a token of a maintainer', () => {
  const bearer = { authorization: 'Bearer s3cret' };
  async function issue(roles?: Parameters<Served['signIn']>[1]) {
    const { id } = await served.signIn('Mia', roles);
    const token = { user_id: id, name: 'nightly', hash: hashSecret('s3cret'), created_at: new Date().toISOString() };
    await served.db.insertInto('tokens').values(token).execute();
  }
  const take = () => fetch(`${served.origin}/api/findings/1/lease`, { method: 'POST', headers: bearer });
  const used = async () => (await served.db.selectFrom('tokens').select('used_at').executeTakeFirstOrThrow()).used_at;

  test('acts for them without a cookie, and its use is noted once a minute', async () => {
    await issue(['patroller', 'maintainer']);
    expect((await take()).status).toBe(200);
    const first = await used();
    expect(first).toMatch(/^\d{4}-/);
    await take();
    expect(await used()).toBe(first);
    await served.db.updateTable('tokens').set({ used_at: '2001-01-15T00:00:00.000Z' }).execute();
    await take();
    expect(await used()).not.toMatch(/^2001/);
  });

  test('does not hold once it is revoked, once they are no maintainer, and if it was never given', async () => {
    expect([(await take()).status, (await get('/', bearer)).status]).toEqual([401, 401]);
    await issue(['patroller', 'maintainer']);
    await served.signIn('Mia', ['patroller']);
    expect((await take()).status).toBe(403);
    await served.signIn('Mia', ['patroller', 'maintainer']);
    await served.db.updateTable('tokens').set({ revoked_at: new Date().toISOString() }).execute();
    expect((await take()).status).toBe(401);
  });
});

describe('roles', () => {
  const mayDecide = async (name: string) => {
    const { headers } = await served.signIn(name);
    return (await fetch(`${served.origin}/api/findings/1/lease`, { method: 'POST', headers })).status === 200;
  };

  test('may ask for a group of the wiki before anybody decides', async () => {
    await again({ signIn: { ...SIGN_IN, patrollerGroups: ['rollbacker'] } });
    expect(await mayDecide('Ann')).toBe(false);
    await again({ signIn: { ...SIGN_IN, patrollerGroups: ['user'] } });
    expect(await mayDecide('Ann')).toBe(true);
  });

  test('are none for who is blocked', async () => {
    const blocked = await served.signIn('Blocked', []);
    const answer = await fetch(`${served.origin}/api/findings/1/lease`, { method: 'POST', headers: blocked.headers });
    expect(answer.status).toBe(403);
    expect(await (await get('/account', blocked.headers)).text()).toContain('This account may not decide');
  });

  test('are none for who was blocked since: opening a finding keeps it from nobody', async () => {
    const wiki = createServer((_, response) => response.end(JSON.stringify(BLOCKED))).listen(0, '127.0.0.1');
    await once(wiki, 'listening');
    // a server that listens on a port
    const apiUrl = `http://127.0.0.1:${(wiki.address() as AddressInfo).port}/w/api.php`;
    const { host } = new URL(WIKI_ORIGIN);
    await again({
      wiki: {
        id: host,
        origin: WIKI_ORIGIN,
        indexPath: '/index.php',
        apiUrl,
        restUrl: '',
        userAgent: 'Test/1.0 (a test)',
      },
    });
    const ann = await served.signIn('Ann');
    await served.db.updateTable('users').set({ asked_at: 0 }).execute();
    const page = await (await get('/findings/1', ann.headers)).text();
    wiki.close();
    expect(await served.decisions.holderOf(1)).toBeNull();
    expect(page).not.toContain('name="decision"');
  });
});

describe('the name that is asked for', () => {
  const statusOf = (headers: Record<string, string>) =>
    new Promise((resolve, reject) => {
      const asking = request({ host: '127.0.0.1', port: served.port, path: '/', headers });
      asking.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
      asking.end();
    });

  test('is this machine’s, or that of the public address', async () => {
    expect(await statusOf({ host: 'review.example' })).toBe(421);
    await again({ publicUrl: 'https://review.example' });
    expect(await statusOf({ host: 'review.example' })).toBe(200);
    expect(await statusOf({ host: 'localhost:1' })).toBe(200);
    expect(await statusOf({ host: 'evil.example' })).toBe(421);
  });

  test('is not what a page may write into a header', async () => {
    await again({ publicUrl: 'https://review.example' });
    expect(await statusOf({ host: 'evil.example', 'x-forwarded-host': 'review.example' })).toBe(421);
  });
});

const BLOCKED = { query: { users: [{ userid: 5, name: 'Ann', groups: ['user'], blockid: 9 }] } };
const SIGN_IN = {
  client: null,
  maintainers: [],
  maintainerGroups: ['sysop'],
  patrollerGroups: null,
  secret: 'a secret of tests that signs the cookies',
};
