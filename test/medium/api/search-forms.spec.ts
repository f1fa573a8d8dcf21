import { type ApiUnderTest, addGateway, startApi } from './api-under-test';

// Real: PostgreSQL and the API. The test overwrites the stored search entries, so that results show which entry the API
// read.
let api: ApiUnderTest;

/** Entries that match a price of 5 and the word "jardin". */
const OF_FORM_1 = { fields: '{"affId":"A","prix":5,"langues":["fr"]}', words: '3214a3776ddf40eb' };
const OF_FORM_2 = { fields: '["ad","fr","A",5]', words: '3214a3776ddf' };

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

it.each<[string, number, typeof OF_FORM_1, string[]]>([
  ['of the previous release is read', 1, OF_FORM_1, ['prix=5', 'jardin']],
  ['of this release is read', 2, OF_FORM_2, ['prix=5', 'jardin']],
  ['of a future release is rebuilt from the listing', 3, OF_FORM_2, ['prix=7', 'maison']],
])('search entry %s', async (_what, form, { fields, words }, expected) => {
  const listing = { affId: 'A', affNum: 'R1', passerelleName: 'kyero', photos: [], intitule: 'Maison', prix: 7 };
  const gateway = await addGateway(api.database, { listings: [listing] });
  await api.testDatabase.query(
    `UPDATE listing_search SET form = $1, fields = $2, words = decode($3, 'hex') WHERE gateway_id = $4`,
    [form, fields, words, gateway.id],
  );
  const asked = ['prix=5', 'prix=7', 'jardin', 'maison'];
  const answers = await Promise.all(
    asked.map(async (what) => {
      const [name, value] = what.includes('=') ? what.split('=') : ['q', what];
      const filter = name === 'q' ? `q=${value}` : `prixMin=${value}&prixMax=${value}`;
      const { status, body } = await api.get(`/v1/search?${gateway.query}&${filter}`, gateway.headers);
      expect(status).toBe(200);
      return body.meta.total === 1 ? [what] : [];
    }),
  );
  expect(answers.flat()).toEqual(expected);
});
