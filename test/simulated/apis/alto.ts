import type { Answer } from '../../../tools/simulator/misbehaviour';
import { type ApiRequest, type ApiServer, startApi } from './api-server';

/** Only the simulator accepts these credentials. */
export const ALTO_CREDENTIALS = { user: 'demo-user', password: 'demo-password-of-a-feed' } as const;
export const ALTO_FEED = 'DemoAPI';

export interface SimulatedProperty {
  id: string;
  branch?: string;
  changed?: string;
  /** Additional XML elements of the listing. */
  elements?: string;
  photos?: number;
}

/** The state of the simulated data feed. A test may change it at any time. */
export interface AltoState {
  properties: () => readonly SimulatedProperty[];
  branches: readonly string[];
  /** The number of requests for which a token is valid. */
  usesOfToken: number;
  /** Whether each Basic login gets a new token and ends the previous token, as in the real API after an hour. */
  endsTokens: boolean;
  /** Whether the API issues no token, because another program has one. */
  isTokenTaken: boolean;
  /** Whether each response has different URLs for the same photos. */
  movesPhotos: boolean;
  /** Called before each response with a listing. */
  beforeListing: () => void;
}

/**
 * Simulates version 12 of the export. A Basic login gets the only valid token. With the token, clients read branches,
 * summaries and listings.
 */
export async function simulateAlto(state: AltoState): Promise<ApiServer> {
  let token: { value: string; uses: number } | undefined;
  let tokens = 0;
  let answers = 0;
  const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
  return await startApi((request) => {
    answers += 1;
    const { authorization } = request.headers;
    if (authorization === basic(`${ALTO_CREDENTIALS.user}:${ALTO_CREDENTIALS.password}`)) {
      if (state.isTokenTaken || (!state.endsTokens && token !== undefined && token.uses < state.usesOfToken))
        return xml('', 401);
      tokens += 1;
      token = { value: `TOKEN-${tokens}`, uses: 0 };
      return { ...xml(branchesOf(state)), headers: { ...XML, token: token.value } };
    }
    if (token === undefined || authorization !== basic(token.value) || token.uses >= state.usesOfToken)
      return xml('', 401);
    token.uses += 1;
    return answerTo(request, state, answers);
  });
}

const XML = { 'content-type': 'application/xml; charset=utf-8' };
const BASE = `/export/${ALTO_FEED}/v12`;
/** The real export also writes links without TLS and with the vendor's host. */
const LINKS = `http://webservices.vebra.com${BASE}`;

function xml(body: string, status = 200): Answer {
  return {
    status,
    headers: XML,
    body: Buffer.from(body === '' ? '' : `<?xml version="1.0" encoding="utf-8"?>\r\n${body}`),
  };
}

function answerTo({ url: { pathname } }: ApiRequest, state: AltoState, version: number): Answer {
  if (pathname === `${BASE}/branch`) return xml(branchesOf(state));
  const [, branch = '', id] = /\/branch\/(\d+)\/property(?:\/(\d+))?$/.exec(pathname) ?? [];
  const ofBranch = state.properties().filter(({ branch: own = state.branches[0] }) => own === branch);
  if (id === undefined) return state.branches.includes(branch) ? xml(summariesOf(ofBranch, branch)) : xml('', 404);
  state.beforeListing();
  const found = ofBranch.find((one) => one.id === id);
  return found === undefined ? xml('', 404) : xml(listingOf(found, branch, state.movesPhotos ? version : 0));
}

function branchesOf({ branches }: AltoState): string {
  const all = branches.map(
    (number) =>
      `<branch><name>Branch ${number}</name><firmid>9</firmid><branchid>${number}</branchid><url>${LINKS}/branch/${number}</url></branch>`,
  );
  return `<branches>${all.join('')}</branches>`;
}

function summariesOf(properties: readonly SimulatedProperty[], branch: string): string {
  const all = properties.map(
    ({ id, changed = '2026-11-01T10:00:00' }) =>
      `<property><prop_id>${id}</prop_id><lastchanged>${changed}</lastchanged><url>${LINKS}/branch/${branch}/property/${id}</url></property>`,
  );
  return `<properties>${all.join('')}</properties>`;
}

function listingOf({ id, elements = '', photos = 0 }: SimulatedProperty, branch: string, version: number): string {
  const files = Array.from(
    { length: photos },
    (_, at) =>
      `<file id="${at}" type="0"><name>Photo ${at}</name><url>https://media.alto.example/${id}-${at}.jpg?v=${version}</url></file>`,
  );
  return (
    `<property id="${id}" branchid="${branch}" database="1"><price display="yes" currency="GBP">250000</price>` +
    `<address><town>Abingdon – Thames</town></address><type>Detached House</type><web_status>0</web_status>` +
    `<files>${files.join('')}</files>${elements}</property>`
  );
}
