import { AccessRefused, BadFeed, RetryLater } from '@passerelle/domain';
import { connector } from '../../libs/connectors/src/sources/skarabee/connector';
import type { ApiRequest } from './apis/api-server';
import {
  operationOf,
  simulateSkarabee,
  type SimulatedPublication,
  SKARABEE_CREDENTIALS,
  SKARABEE_PATH,
  type SkarabeeState,
} from './apis/skarabee';
import { BUSY, DOWN, HTML, describeMovingPhotos, idsIn, simulatedSource, describeMoves } from './simulated-source';

const upTo = (count: number, changes: Partial<SimulatedPublication> = {}): SimulatedPublication[] =>
  Array.from({ length: count }, (_, index) => ({ id: String(index + 1), ...changes }));

const source = simulatedSource<SkarabeeState>({
  connector,
  simulate: simulateSkarabee,
  newState: () => ({
    publications: () => upTo(5),
    ...{
      errorOf: () => undefined,
      movesPhotos: false,
      offices: ['Immo Exemple'],
      feedback: [],
      beforePublication: () => undefined,
    },
  }),
  path: SKARABEE_PATH,
  credentials: SKARABEE_CREDENTIALS,
});
const { state, api, read } = source;
const asks = (operation: string) => (request: ApiRequest) => operationOf(request) === operation;
const isPublication = asks('GetPublication');
const asked = (operation: string): number => api.requests.filter(asks(operation)).length;

describe('Weblink account', () => {
  it('is read completely, with one request for the list and one per publication', async () => {
    const feed = await read();
    expect([idsIn(feed), feed.summary.incomplete]).toEqual([[1, 2, 3, 4, 5], null]);
    expect(feed.listings[3]).toMatchObject({
      agenceNom: 'Immo Exemple',
      ville: 'Liège',
      prix: 250_000,
      adresse: 'Kerkstraat',
    });
    expect(['GetContactInfo', 'GetPublicationSummaries', 'GetPublication'].map(asked)).toEqual([1, 1, 5]);
  });

  it("is read with the types in the gateway's settings, and without shared publications if the settings exclude them", async () => {
    await read({ types: 'transaction, lot', 'exclure-partages': 'oui' });
    expect(api.requests.find(asks('GetPublicationSummaries'))?.body).toMatch(
      /<LastModified xsi:nil="true"(?:\/>|><\/LastModified>)<RequestedPropertyTypes><PropertyType>TRANSACTION<\/PropertyType><PropertyType>LOT<\/PropertyType><\/RequestedPropertyTypes><ExcludeSharedProperties>true</,
    );
    await expect(read({ types: 'HOUSE' })).rejects.toThrow('names HOUSE, which is none of TRANSACTION');
  });

  it('provides no agency name when it has several offices', async () => {
    state.offices = ['One', 'Two'];
    expect((await read()).listings[0]).not.toHaveProperty('agenceNom');
  });

  it('provides only active publications, and is complete when it has none', async () => {
    state.publications = () => [...upTo(2), { id: '3', isActive: false }];
    expect(idsIn(await read())).toEqual([1, 2]);
    expect(asked('GetPublication')).toBe(2);
    state.publications = () => [];
    expect((await read()).summary).toMatchObject({ records: 0, incomplete: null });
  });

  it('is incomplete when a publication disappears before it is requested', async () => {
    let publications = 0;
    state.beforePublication = () => {
      publications += 1;
      if (publications === 3) state.publications = () => upTo(2);
    };
    expect((await read()).summary.incomplete).toContain('INVALID_PUBLICATION_ID');
  });
});

describe('Weblink login', () => {
  it.each([
    ['answered with status 401', {}, { user: 'x', password: 'y' }, 1],
    ['refused in the answer', { errorOf: () => 'INVALID_LINK_LOGIN' }, SKARABEE_CREDENTIALS, 1],
    ['incomplete', {}, { user: 'x' }, 0],
  ])('ends the run with a clear error when it is %s', async (_what, changes, credentials, requests) => {
    Object.assign(state, changes);
    await expect(read({}, credentials)).rejects.toThrow(AccessRefused);
    expect(api.requests).toHaveLength(requests);
  });

  it('ends the run when it becomes invalid while publications are requested', async () => {
    state.errorOf = (operation, id) => (operation === 'GetPublication' && id === '3' ? 'INACTIVE_USER' : undefined);
    await expect(read()).rejects.toThrow('INACTIVE_USER');
    expect(asked('GetPublication')).toBe(3);
  });
});

describe('faulty Weblink service', () => {
  it.each([
    ['HTML', 'GetContactInfo', HTML, BadFeed],
    ['status 429', 'GetPublicationSummaries', BUSY, RetryLater],
    ['HTML', 'GetPublicationSummaries', HTML, BadFeed],
    ['a truncated list', 'GetPublicationSummaries', { kind: 'truncated', bytes: 600 } as const, BadFeed],
  ])('fails the run when it returns %s for %s', async (_what, operation, fault, failure) => {
    api.fault = (request) => (asks(operation)(request) ? fault : undefined);
    await expect(read()).rejects.toThrow(failure);
  });

  it.each(['DB_ERROR', 'UNHANDLED_ERROR'])('fails the run when it returns %s for the list', async (code) => {
    state.errorOf = (operation) => (operation === 'GetPublicationSummaries' ? code : undefined);
    await expect(read()).rejects.toThrow(BadFeed);
  });

  it('gets only five requests when all publications are HTML, and makes the run incomplete', async () => {
    state.publications = () => upTo(9);
    api.fault = (request) => (isPublication(request) ? HTML : undefined);
    expect((await read()).summary.incomplete).toContain('a listing could not be read');
    expect(asked('GetPublication')).toBe(5);
  });

  it.each([
    ['one answer with status 503', DOWN],
    ['one answer with status 429 and Retry-After', { ...BUSY, headers: { 'retry-after': '0' } }],
    ['a body that ends early', { kind: 'dropped', afterBytes: 20 } as const],
  ])('is read completely after %s', async (_what, fault) => {
    let met = 0;
    api.fault = (request) => (isPublication(request) && ++met === 2 ? fault : undefined);
    const feed = await read();
    expect([idsIn(feed), feed.summary.incomplete]).toEqual([[1, 2, 3, 4, 5], null]);
  });
});

describeMovingPhotos(source, () => {
  state.publications = () => upTo(2, { photos: 2 });
});

describeMoves(
  (list, beforePublication) => {
    state.publications = () => list.ids.map((id) => ({ id: String(id) }));
    state.beforePublication = beforePublication;
    return read();
  },
  { what: 'a list that changes while its publications are requested', lists: 160, least: 0 },
);
