import { createHmac } from 'node:crypto';
import { json } from '../../../tools/simulator/answers';
import type { Answer } from '../../../tools/simulator/misbehaviour';
import { type ApiRequest, type ApiServer, startApi } from './api-server';

/** Only the simulator accepts these credentials. */
export const ONOFFICE_CREDENTIALS = {
  token: 'demo-token-of-the-api-user-00001',
  secret: 'demo-secret-'.repeat(6),
} as const;

const CLOCK_MAY_DIFFER_S = 120;
const MOST_RECORDS = 500;
const USUAL_LIMIT = 20;

export interface SimulatedEstate {
  id: number;
  /** Field values by field name; all values are texts. */
  fields: Readonly<Record<string, string>>;
  pictures?: number;
  /** The number of the contact person's address. */
  agent?: number;
  /** Translated texts by three-letter language code. */
  translations?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The state of the simulated client of onOffice. A test may change it at any time. */
export interface OnOfficeState {
  estates: () => readonly SimulatedEstate[];
  /** The estate fields that the client's administration defines. */
  fields: Readonly<Record<string, object>>;
  agents: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Whether the API applies filters and sorts by `Id`. */
  knowsOrder: boolean;
  /** Whether the API user may read addresses. */
  readsAddresses: boolean;
  /** Whether each response has different URLs for the same photos. */
  movesPhotos: boolean;
  /** How many seconds the API's clock is ahead. */
  clockAheadS: number;
  /** Replaces the total that the API reports. */
  total?: (() => number | undefined) | undefined;
  /** Called before each list of estates. */
  beforeList: () => void;
}

interface Action {
  actionid: string;
  resourcetype: string;
  timestamp?: number;
  hmac?: string;
  hmac_version?: string;
  parameters: Record<string, unknown>;
}

class Refusal extends Error {}

/** Simulates the API of one client of onOffice, according to its documentation of January 2026. */
export async function simulateOnOffice(state: OnOfficeState): Promise<ApiServer> {
  let answers = 0;
  return await startApi((request) => {
    answers += 1;
    if (request.method !== 'POST' || request.url.pathname !== '/api/stable/api.php') return json(404, {});
    const { token, action } = actionIn(request);
    const problem = problemOf(token, action, state);
    if (problem !== undefined) return failed(400, 1, problem);
    try {
      const { records, total } = resultOf(action, state, answers);
      return answered(action, records, total);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return failed(200, 97, error.message, action);
    }
  });
}

function actionIn({ body }: ApiRequest): { token: string; action: Action } {
  const { token, request } = JSON.parse(body) as { token: string; request: { actions: [Action] } };
  return { token, action: request.actions[0] };
}

function problemOf(token: string, action: Action, { clockAheadS }: OnOfficeState): string | undefined {
  const { token: known, secret } = ONOFFICE_CREDENTIALS;
  const now = Date.now() / 1000 + clockAheadS;
  if (token !== known) return 'not authenticated';
  if (Math.abs(now - (action.timestamp ?? 0)) > CLOCK_MAY_DIFFER_S) return 'timestamp invalid';
  const signed = `${String(action.timestamp)}${token}${action.resourcetype}${action.actionid}`;
  const expected = createHmac('sha256', secret).update(signed).digest('base64');
  return action.hmac === expected && action.hmac_version === '2' ? undefined : 'HMAC invalid';
}

interface Result {
  records: object[];
  total: number | null;
}

function resultOf({ actionid, resourcetype, parameters }: Action, state: OnOfficeState, answers: number): Result {
  switch (`${actionid.split(':').at(-1) ?? ''} ${resourcetype}`) {
    case 'get fields':
      return { records: [{ id: 'estate', type: '', elements: { label: 'Immobilien', ...state.fields } }], total: null };
    case 'read estate':
      return estatesFor(parameters, state);
    case 'get estatepictures':
      return picturesFor(parameters, state, answers);
    case 'get idsfromrelation':
      return agentsFor(parameters, state);
    case 'read address':
      return addressesFor(parameters, state);
    default:
      throw new Refusal(`unknown resource ${resourcetype}`);
  }
}

type Filter = Record<string, { op: string; val: unknown }[] | undefined>;

function estatesFor(parameters: Record<string, unknown>, state: OnOfficeState): Result {
  const { estatelanguage: language } = parameters as { estatelanguage?: string };
  const filter = (parameters['filter'] ?? {}) as Filter;
  const unknown = (parameters['data'] as string[]).find((name) => !ALWAYS.has(name) && !(name in state.fields));
  if (unknown !== undefined) throw new Refusal(`unknown field ${unknown}`);
  if (language === undefined) state.beforeList();
  const sorted = (estates: readonly SimulatedEstate[]): readonly SimulatedEstate[] =>
    state.knowsOrder && parameters['sortby'] !== undefined ? [...estates].sort((a, b) => a.id - b.id) : estates;
  const found = sorted(state.estates()).filter((estate) => isWanted(estate, filter, state));
  const offset = Number(parameters['listoffset'] ?? 0);
  const limit = Math.min(Number(parameters['listlimit'] ?? USUAL_LIMIT), MOST_RECORDS);
  const records = found.slice(offset, offset + limit).flatMap((estate): object[] => {
    if (language === undefined) return [{ id: estate.id, type: 'estate', elements: estate.fields }];
    const texts = estate.translations?.[language];
    const elements = { ...texts, mainLangId: String(estate.id) };
    return texts === undefined ? [] : [{ id: estate.id + 100_000, type: 'estate', elements }];
  });
  const total = state.total === undefined ? found.length : (state.total() ?? null);
  return { records, total: language === undefined ? total : records.length };
}

/** Fields that the vendor's own plugin requests from every client. */
const ALWAYS = new Set(
  `Id veroeffentlichen verkauft reserviert referenz exclusive neu courtage_frei vermarktungsart objektart preisAufAnfrage
  objektadresse_freigeben virtualAddress virtualStreet virtualHouseNumber virtualLatitude virtualLongitude laengengrad
  breitengrad strasse hausnummer plz ort land objektnr_extern`.split(/\s+/),
);

function isWanted({ id, fields }: SimulatedEstate, filter: Filter, { knowsOrder }: OnOfficeState): boolean {
  return Object.entries(filter).every(([name, conditions]) =>
    (conditions ?? []).every(({ op, val }) => {
      if (name === 'Id' && op === 'in') return (val as unknown[]).map(Number).includes(id);
      if (name === 'Id' && op === '>') return !knowsOrder || id > Number(val);
      return op === '=' ? (fields[name] ?? '') === String(val) : true;
    }),
  );
}

function picturesFor(parameters: Record<string, unknown>, state: OnOfficeState, answers: number): Result {
  const ids = new Set((parameters['estateids'] as unknown[]).map(Number));
  const all = state
    .estates()
    .filter(({ id }) => ids.has(id))
    .flatMap(({ id, pictures = 0 }) =>
      Array.from({ length: pictures }, (_, number) => {
        const version = state.movesPhotos ? `?v=${answers}` : '';
        const url = `https://image.onoffice.example/Objekte/demo/${id}/Foto_${number}.jpg${version}`;
        const element = {
          estateid: String(id),
          type: number === 1 ? 'Titelbild' : 'Foto',
          url,
          title: `Bild ${number}`,
        };
        return { id: id * 1000 + number, type: 'files', elements: [{ ...element, originalname: 'IMG.jpg' }] };
      }),
    );
  return { records: all.slice(0, MOST_RECORDS), total: all.length };
}

function agentsFor(parameters: Record<string, unknown>, state: OnOfficeState): Result {
  if (!state.readsAddresses) throw new Refusal('no right to read addresses');
  const ids = new Set((parameters['parentids'] as unknown[]).map(Number));
  const pairs = state
    .estates()
    .filter(({ id }) => ids.has(id))
    .map(({ id, agent }) => [String(id), agent === undefined ? [] : [String(agent)]]);
  return { records: [{ id: 'relatedIds', type: '', elements: Object.fromEntries(pairs) as object }], total: null };
}

function addressesFor(parameters: Record<string, unknown>, { agents }: OnOfficeState): Result {
  const ids = parameters['recordids'] as unknown[];
  const records = ids.flatMap((id) => {
    const elements = agents[String(id)];
    return elements === undefined ? [] : [{ id: Number(id), type: 'address', elements }];
  });
  return { records, total: records.length };
}

function answered({ actionid, resourcetype }: Action, records: object[], total: number | null): Answer {
  const data = { meta: { cntabsolute: total }, records };
  const result = { actionid, resourceid: '', resourcetype, cacheable: true, identifier: '', data };
  return json(200, {
    status: { code: 200, errorcode: 0, message: 'OK' },
    response: { results: [{ ...result, status: { errorcode: 0, message: 'OK' } }] },
  });
}

/**
 * The API reports a failed request in the response's status, and a failed action in the action's status. The HTTP
 * status is 200 in both cases.
 */
function failed(code: number, errorcode: number, message: string, action?: Action): Answer {
  if (action === undefined) return json(200, { status: { code, errorcode, message }, response: { results: [] } });
  const data = { meta: { cntabsolute: null }, records: [] };
  const result = { actionid: action.actionid, resourcetype: action.resourcetype, data, status: { errorcode, message } };
  return json(200, { status: { code, errorcode, message }, response: { results: [result] } });
}
