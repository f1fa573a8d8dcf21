import { json } from '../../../tools/simulator/answers';
import type { Answer } from '../../../tools/simulator/misbehaviour';
import { type ApiRequest, type ApiServer, startApi } from './api-server';

/** Only the simulator accepts these credentials. */
export const OMNICASA_CREDENTIALS = { customer: 'demo', password: 'demo "1"' } as const;

const SERVICE = '/1.12/OmnicasaService.svc/';
const MOST_PER_PAGE = 100;

export interface SimulatedOmnicasaProperty {
  id: number;
  /** `YYYY-MM-DD HH:MM:SS`. */
  changed?: string;
  members?: object;
  photos?: number;
}

/** The state of the simulated customer of Omnicasa. A test may change it at any time. */
export interface OmnicasaState {
  properties: () => readonly SimulatedOmnicasaProperty[];
  /** Returns the response to a request for the list of deletions. */
  deleted: () => unknown;
  /** Whether the customer may request the list of deletions. */
  reportsDeletions: boolean;
  /** Whether each response has different URLs for the same photos. */
  movesPhotos: boolean;
  /** Replaces the total that the API reports. */
  total?: (() => number | undefined) | undefined;
  /** Called before each page of properties. */
  beforePage: () => void;
}

/**
 * Simulates the API of one customer as published client code uses it. Every response has status 200, even a refusal.
 */
export async function simulateOmnicasa(state: OmnicasaState): Promise<ApiServer> {
  let answers = 0;
  return await startApi((request) => {
    answers += 1;
    if (!request.url.pathname.startsWith(SERVICE)) return json(404, { Message: 'Endpoint not found.' });
    const method = request.url.pathname.slice(SERVICE.length);
    const question = questionIn(request);
    const { customername: name, customerpassword: password } = question;
    if (name !== OMNICASA_CREDENTIALS.customer || password !== OMNICASA_CREDENTIALS.password)
      return refusal(method, `Customer ${String(name)} with password ${String(password)} is unknown`);
    switch (method) {
      case 'GetPropertyListJson':
        return listFor(question, state, answers);
      case 'GetDeletedPropertyIDsJson':
        if (!state.reportsDeletions) return refusal(method, 'Access denied');
        return json(200, { [`${method}Result`]: { Code: 0, Message: '', Success: true, Value: state.deleted() } });
      default:
        return json(404, { Message: 'Endpoint not found.' });
    }
  });
}

/** Parameter names are not case-sensitive. */
function questionIn({ url }: ApiRequest): Readonly<Record<string, unknown>> {
  const asked = JSON.parse(url.searchParams.get('json') ?? '{}') as Record<string, unknown>;
  return Object.fromEntries(Object.entries(asked).map(([name, value]) => [name.toLowerCase(), value]));
}

function refusal(method: string, message: string): Answer {
  return json(200, { [`${method}Result`]: { Code: 600, Message: message, Success: false, Value: null } });
}

function listFor(question: Readonly<Record<string, unknown>>, state: OmnicasaState, version: number): Answer {
  state.beforePage();
  const { changesince: since = '' } = question;
  const all = state.properties().map((property) => asItem(property, state.movesPhotos ? version : 0));
  const listed = all.filter(({ LastChangedDate: changed }) => typeof since !== 'string' || changed >= since);
  const From = Number(question['limit1'] ?? 1);
  const To = Math.min(Number(question['limit2'] ?? listed.length), From + MOST_PER_PAGE - 1);
  const RowsCount = state.total === undefined ? listed.length : state.total();
  const Value = { From, Items: listed.slice(From - 1, To), ...(RowsCount !== undefined && { RowsCount }), To };
  return json(200, { GetPropertyListJsonResult: { Code: 0, Message: '', Success: true, Value } });
}

function asItem(
  { id, changed = '2026-01-01 00:00:00', members, photos = 0 }: SimulatedOmnicasaProperty,
  version: number,
): Record<string, unknown> & { LastChangedDate: string } {
  const XLargePictureItems = Array.from({ length: photos }, (_, number) => ({
    ...{ ID: id * 100 + number, Url: `https://photos.omnicasa.example/${id}/${number}.jpg?v=${version}` },
  }));
  const usual = { Status: 1, Goal: 0, MainTypeName: 'Maison', Price: 325_000, PublishPrice: true };
  return { ID: id, ...usual, XLargePictureItems, ...members, LastChangedDate: changed };
}
