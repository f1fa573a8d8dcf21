import type { Listing } from '@passerelle/domain';
import { AdvertRefused, type PortalClient, type PortalHttp } from '../../libs/exporters/src/kit/contracts';
import { target } from '../../libs/exporters/src/targets/aviv/target';
import { fullListing } from '../support/targets/full-listing';
import { contextFor, itemOf } from '../support/targets/placements';
import {
  AVIV_CREDENTIALS,
  AVIV_PATH,
  AVIV_TOKEN_PATH,
  type AvivPortal,
  type AvivState,
  newAvivState,
  simulateAviv,
} from './portals/aviv';

let state: AvivState;
let portal: AvivPortal;

beforeEach(async () => {
  state = newAvivState();
  portal = await simulateAviv(state);
});

afterEach(async () => {
  jest.restoreAllMocks();
  await portal.close();
});

const http: PortalHttp = async ({ url, ...request }) => {
  const answer = await fetch(url, request);
  return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
};

function open(credentials: Record<string, string> = AVIV_CREDENTIALS): PortalClient {
  const address = `http://${portal.host}`;
  const settings = {
    intermediary: 'RC-1',
    api: `${address}${AVIV_PATH}`,
    authorization: `${address}${AVIV_TOKEN_PATH}`,
  };
  return target.open(contextFor(target, { settings, credentials }).placement, http);
}

const advert = (affId: string, changes: Partial<Listing> = {}): string =>
  target.advert(itemOf(fullListing({ affId, typeTransaction: 'vente', ...changes })), contextFor(target));

describe('AVIV portal', () => {
  it('takes an advert, and puts it online after its review', async () => {
    const client = open();
    const id = await client.create(advert('A1'), 'A1');
    expect(await client.status(id)).toEqual({ state: 'accepted' });
    expect(portal.online()).toEqual([]);
    portal.settle();
    expect([await client.status(id), portal.online()]).toEqual([{ state: 'online' }, ['A1']]);
  });

  it('gives one token to all adverts and placements of a login', async () => {
    await Promise.all(['A1', 'A2', 'A3'].map((id) => open().create(advert(id), id)));
    await open().find('A2');
    expect(portal.tokens).toBe(1);
  });

  it('gets another token when the old one ends, and not when a new one is refused', async () => {
    const client = open();
    await client.create(advert('A1'), 'A1');
    portal.endTokens();
    await expect(client.create(advert('A2'), 'A2')).rejects.toThrow('the portal refuses the access (401');
    expect(portal.tokens).toBe(1);
    const later = Date.now() + 11 * 60_000;
    jest.spyOn(Date, 'now').mockImplementation(() => later);
    await client.create(advert('A2'), 'A2');
    expect(portal.tokens).toBe(2);
  });

  it('is not asked again for a token that it has refused, until half an hour later', async () => {
    const client = open({ ...AVIV_CREDENTIALS, 'client-secret': 'wrong' });
    const tries = ['A1', 'A2', 'A3'].map((id) => client.create(advert(id), id));
    for (const one of tries) await expect(one).rejects.toThrow('the portal refuses the login (401 access_denied)');
    expect(portal.tokens).toBe(1);
    const later = Date.now() + 31 * 60_000;
    jest.spyOn(Date, 'now').mockImplementation(() => later);
    await expect(client.create(advert('A1'), 'A1')).rejects.toThrow('the portal refuses the login');
    expect(portal.tokens).toBe(2);
  });

  it('refuses an advert after it took it, and says why', async () => {
    state.review = () => 'the price is below the threshold';
    const client = open();
    const id = await client.create(advert('A1'), 'A1');
    portal.settle();
    expect(await client.status(id)).toEqual({
      state: 'refused',
      reason: 'CREATE_FAILED CREATE_FAILED: the price is below the threshold',
    });
  });

  it('refuses an unknown member immediately, with its pointer', async () => {
    const wrong = JSON.stringify({ ...(JSON.parse(advert('A1')) as object), colour: 'red' });
    await expect(open().create(wrong, 'A1')).rejects.toThrow(AdvertRefused);
    await expect(open().create(wrong, 'A1')).rejects.toThrow('/colour is unknown');
  });

  it('replaces the advert that it has under the same identifier, instead of a second one', async () => {
    const client = open();
    const id = await client.create(advert('A1'), 'A1');
    portal.settle();
    expect(await client.create(advert('A1', { prix: 200_000 }), 'A1')).toBe(id);
    portal.settle();
    expect(portal.online()).toEqual(['A1']);
    expect(portal.classifieds[0]?.body.data).toMatchObject({ prices: { buy: { price: { amount: 200_000 } } } });
  });

  it('finds the advert whose answer was lost, on any page', async () => {
    const client = open();
    for (const id of ['A1', 'A2', 'A3']) await client.create(advert(id), id);
    portal.settle();
    expect([await client.find('A3'), await client.find('A9')]).toEqual([[portal.classifieds[2]?.id], []]);
  });

  it('gets a new advert where the old one is deleted, because a PUT would never bring it online', async () => {
    state.keepsIdentifiers = false;
    const client = open();
    const old = await client.create(advert('A1'), 'A1');
    portal.settle();
    await client.remove(old);
    portal.settle();
    expect([await client.status(old), await client.find('A1')]).toEqual([{ state: 'removed' }, []]);
    const renewed = await client.replace(old, advert('A1'), 'A1');
    portal.settle();
    expect([renewed === old, portal.online()]).toEqual([false, ['A1']]);
  });

  it('stays deleted after a PUT that failed', async () => {
    const client = open();
    const id = await client.create(advert('A1'), 'A1');
    portal.settle();
    await client.remove(id);
    portal.settle();
    const put = await fetch(`http://${portal.host}${AVIV_PATH}/classifieds/${id}`, {
      method: 'PUT',
      headers: portal.requests.at(-1)?.headers as Record<string, string>,
      body: advert('A1'),
    });
    portal.settle();
    expect([put.status, portal.online(), await client.status(id)]).toEqual([202, [], { state: 'removed' }]);
  });

  it('that keeps the identifier of a deleted advert needs a person', async () => {
    const client = open();
    const id = await client.create(advert('A1'), 'A1');
    portal.settle();
    await client.remove(id);
    portal.settle();
    await expect(client.replace(id, advert('A1'), 'A1')).rejects.toThrow('keeps the deleted advert');
    expect(portal.online()).toEqual([]);
  });

  it('removes an advert twice without an error', async () => {
    const client = open();
    const id = await client.create(advert('A1'), 'A1');
    portal.settle();
    await client.remove(id);
    portal.settle();
    await client.remove(id);
    await client.remove('unknown');
    portal.settle();
    expect(portal.online()).toEqual([]);
  });

  it('shows an advert whose photo it could not read, names the photo, and reads it only at another address', async () => {
    state.isAlive = (url) => !url.includes('dead');
    const client = open();
    const photos = [{ url: 'https://photos.example/dead.jpg', empreinte: '00000000000000aa' }];
    const id = await client.create(advert('A1', { photos }), 'A1');
    portal.settle();
    const failed = { state: 'online', reason: expect.stringContaining('DOWNLOADING_FAILED') as string };
    expect(await client.status(id)).toEqual(failed);
    state.isAlive = () => true;
    await client.replace(id, advert('A1', { photos }), 'A1');
    portal.settle();
    expect(await client.status(id)).toEqual(failed);
    await client.replace(id, advert('A1', { photos: [{ ...photos[0]!, empreinte: '00000000000000bb' }] }), 'A1');
    portal.settle();
    expect(await client.status(id)).toEqual({ state: 'online' });
  });

  it.each([
    ['412', (): void => void (state.conflicts = 1)],
    ['429', (): void => void (portal.limits = { requestsPerSecond: 1 })],
  ])('that answers %s is asked later', async (_status, begin) => {
    const client = open();
    await client.find('warm-up');
    begin();
    await expect(client.create(advert('A1'), 'A1')).rejects.toMatchObject({ name: 'RetryLater' });
  });

  it('keeps the wait that the portal asks for', async () => {
    const client = open();
    await client.find('warm-up');
    portal.limits = { requestsPerDay: 1 };
    await expect(client.create(advert('A1'), 'A1')).rejects.toMatchObject({ retryAfterMs: 6 * 3600 * 1000 });
  });
});
