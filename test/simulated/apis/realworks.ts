import { json } from '../../../tools/simulator/answers';
import type { Answer } from '../../../tools/simulator/misbehaviour';
import { type ApiRequest, type ApiServer, startApi } from './api-server';

/** Only the simulator accepts these credentials. */
export const REALWORKS_CREDENTIALS = { token: '00000000-demo-demo-demo-000000000001' } as const;

const PATH = '/wonen/v3/objecten';
const USUAL_PAGE = 10;
const MOST_PER_PAGE = 100;

export interface SimulatedObject {
  id: number;
  members?: object;
  photos?: number;
}

/** The state of the simulated office of Realworks. A test may change it at any time. */
export interface RealworksState {
  objects: () => readonly SimulatedObject[];
  /** Whether the API accepts the token from the client's IP address. */
  letsIn: boolean;
  /** The origin of links to next pages; default: the origin of the request. */
  linksTo: string | undefined;
  /** A number that is added to the reported total; undefined if the API reports no total. */
  totalIsOffBy: number | undefined;
  /** Replaces the total that the API reports. */
  total?: (() => number | undefined) | undefined;
  /** Whether full pages lack the link to the next page. */
  forgetsLinks: boolean;
  /** Whether each response has different URLs for the same photos. */
  movesPhotos: boolean;
  /** Called before each page. */
  beforePage: () => void;
}

/** Simulates the API of one office as published client code of 2026 uses it. */
export async function simulateRealworks(state: RealworksState): Promise<ApiServer> {
  let answers = 0;
  return await startApi((request) => {
    answers += 1;
    if (request.headers.authorization !== `rwauth ${REALWORKS_CREDENTIALS.token}`)
      return json(401, { error: 'Unauthorized' });
    if (!state.letsIn)
      return json(403, { error: 'Voor dit token is een IP bereik opgegeven, persoon@voorbeeld.example' });
    return request.url.pathname === PATH ? pageFor(request, state, answers) : json(404, { error: 'Not found' });
  });
}

function pageFor({ url, headers }: ApiRequest, state: RealworksState, version: number): Answer {
  state.beforePage();
  const all = state.objects().map((object) => asObject(object, state.movesPhotos ? version : 0));
  const listed = url.searchParams.get('actief') === 'true' ? all.filter(({ actief }) => actief === true) : all;
  const from = Number(url.searchParams.get('vanaf') ?? 0);
  const size = Math.min(Number(url.searchParams.get('aantal') ?? USUAL_PAGE), MOST_PER_PAGE);
  const next = from + size;
  const origin = state.linksTo ?? `http://${headers.host ?? ''}`;
  const hasNext = next < listed.length && !state.forgetsLinks;
  return json(200, {
    resultaten: listed.slice(from, next),
    paginering: {
      ...(hasNext && { volgende: `${origin}${PATH}?actief=true&aantal=${size}&vanaf=${next}` }),
      ...(state.totalIsOffBy !== undefined && { totaalAantal: listed.length + state.totalIsOffBy }),
      ...(state.total !== undefined && { totaalAantal: state.total() }),
    },
  });
}

function asObject({ id, members, photos = 0 }: SimulatedObject, version: number): Record<string, unknown> {
  const media = Array.from({ length: photos }, (_, number) => ({
    ...{ soort: number === 0 ? 'HOOFDFOTO' : 'FOTO', vrijgave: true, mimetype: 'image/jpeg', volgnummer: number },
    link: `https://images.realworks.example/${id}-${number}.jpg?check=v${version}`,
  }));
  const transfer = { status: 'BESCHIKBAAR', koopprijs: 425_000, koopconditie: 'KOSTEN_KOPER' };
  const object = { type: { objecttype: 'WOONHUIS' } };
  return { id, actief: true, object, media, financieel: { overdracht: transfer }, ...members };
}
