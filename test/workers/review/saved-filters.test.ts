/** Filters that people keep under names: each their own. */
import { parseHTML } from 'linkedom';
import { deleteSavedFilter, savedFilters, saveFilter } from '../../../workers/review/saved-filters.ts';
import { type Served, type SignedIn, serve } from './served.ts';

let served: Served;
let ada: SignedIn;
let bo: SignedIn;
beforeAll(async () => {
  served = await serve();
  [ada, bo] = [await served.signIn('Ada'), await served.signIn('Bo')];
});
afterAll(() => served.close());
beforeEach(() => served.db.deleteFrom('saved_filters').execute());

const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${served.origin}${path}`, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(fields) });
const mine = async (person: SignedIn) => savedFilters(served.db, person.id);

test('a filter is saved in its canonical form, by name, and leads back to the list', async () => {
  const saved = await post('/saved-filters?sort=gain&project=Mills&verdict=', { name: ' Mills first ' }, ada.headers);
  expect([saved.status, saved.headers.get('location')]).toEqual([303, '/?project=Mills&sort=gain']);
  await post('/saved-filters?views-min=10', { name: 'A few' }, ada.headers);
  expect(await mine(ada)).toMatchObject([
    { name: 'A few', filter: { state: 'open', viewsMin: 10 } },
    { name: 'Mills first', filter: { state: 'open', project: 'Mills', sort: 'gain' } },
  ]);
});

test('the same name again takes the place of what was saved', async () => {
  await saveFilter(served.db, ada.id, 'Mine', { state: 'open', page: 'Orrin Bay' });
  await saveFilter(served.db, ada.id, 'Mine', { state: 'closed' });
  expect((await mine(ada)).map(({ filter }) => filter)).toEqual([{ state: 'closed' }]);
});

test('nobody sees or deletes another person’s', async () => {
  await saveFilter(served.db, ada.id, 'Mine', { state: 'closed' });
  const [{ id } = { id: 0 }] = await mine(ada);
  expect(await mine(bo)).toEqual([]);
  expect((await post(`/saved-filters/${id}/delete`, {}, bo.headers)).status).toBe(404);
  expect(await mine(ada)).toHaveLength(1);
  expect(await (await fetch(served.origin, { headers: bo.headers })).text()).not.toContain('Mine');
  expect((await post(`/saved-filters/${id}/delete?sort=views`, {}, ada.headers)).headers.get('location')).toBe(
    '/?sort=views',
  );
  expect(await mine(ada)).toEqual([]);
  await expect(deleteSavedFilter(served.db, ada.id, id)).rejects.toMatchObject({ code: 'not_found' });
});

test('without a name, a session or its token nothing is saved', async () => {
  const { 'x-csrf-token': _token, ...withoutToken } = ada.headers;
  expect((await post('/saved-filters?page=x', { name: ' ' }, ada.headers)).status).toBe(400);
  expect((await post('/saved-filters?page=x', { name: 'x'.repeat(101) }, ada.headers)).status).toBe(400);
  expect((await post('/saved-filters?score-min=7', { name: 'x' }, ada.headers)).status).toBe(400);
  expect((await post('/saved-filters?page=x', { name: 'x' }, { 'sec-fetch-site': 'same-origin' })).status).toBe(401);
  expect((await post('/saved-filters?page=x', { name: 'x' }, withoutToken)).status).toBe(403);
  expect((await post('/saved-filters?page=x', { name: 'x', _csrf: 'forged' }, withoutToken)).status).toBe(403);
  expect(
    (await post('/saved-filters?page=x', { name: 'x' }, { ...ada.headers, 'sec-fetch-site': 'cross-site' })).status,
  ).toBe(403);
  expect(await mine(ada)).toEqual([]);
});

test('no more are kept than anybody finds a way among, and a filter of unknown words is passed over', async () => {
  for (let count = 0; count < 30; count++) await saveFilter(served.db, ada.id, `No. ${count}`, { state: 'closed' });
  await expect(saveFilter(served.db, ada.id, 'One more', { state: 'all' })).rejects.toMatchObject({ code: 'invalid' });
  await saveFilter(served.db, ada.id, 'No. 3', { state: 'all' });
  await served.db
    .updateTable('saved_filters')
    .set({ query: 'sort=of-a-newer-version' })
    .where('name', '=', 'No. 4')
    .execute();
  expect(await mine(ada)).toHaveLength(29);
});

test('markup in a name is text', async () => {
  await saveFilter(served.db, ada.id, '<img src=x onerror=alert(1)>', { state: 'closed' });
  const page = await (await fetch(served.origin, { headers: ada.headers })).text();
  const tabs = [...parseHTML(page).document.querySelectorAll('.tab')].map((tab) => tab.textContent);
  expect(tabs).toEqual(['Whole queue', '<img src=x onerror=alert(1)>']);
  expect(page).not.toContain('<img src=x');
});
