import { type ConnectorKind, isWalked, type RecordNames, USUAL_NAMES } from './kinds';

/** The exported names of a connector's simulator; they are unique among all simulators. */
interface Names extends RecordNames {
  code: string;
  /** `ImmoNova` */
  pascal: string;
  /** `IMMO_NOVA` */
  upper: string;
}

/** The simulator of a paged API and its spec, by path from the root. Empty for a document. */
export function simulatorFiles(
  code: string,
  kind: ConnectorKind,
  names: RecordNames = USUAL_NAMES,
): Record<string, string> {
  if (!isWalked(kind)) return {};
  const pascal = code.replace(/(?:^|-)([a-z0-9])/g, (_dash, letter: string) => letter.toUpperCase());
  const all: Names = { ...names, code, pascal, upper: code.toUpperCase().replaceAll('-', '_') };
  return {
    [`test/simulated/apis/${code}.ts`]: simulatorFile(all, kind),
    [`test/simulated/${code}.spec.ts`]: simulatedSpec(all, kind),
  };
}

const summaries = `
/** The summary of a listing in the list. */
function summaryOf(listing: Record<string, unknown>): object {
  return { id: listing['id'], updated: listing['updated'] };
}
`;

function simulatorFile({ root, pascal, upper, code }: Names, kind: ConnectorKind): string {
  const isDetails = kind === 'details';
  const answersOne = isDetails || kind === 'pushed';
  const one = `
    const id = Number(/^\\/listings\\/(\\d+)$/.exec(url.pathname)?.[1] ?? NaN);
    const listing = state.listings().find((one) => one.id === id);
    return listing === undefined ? json(404, { error: 'Not found' }) : json(200, listingOf(listing, versionOf(state)));`;
  return `import { json } from '../../../tools/simulator/answers';
import type { Answer } from '../../../tools/simulator/misbehaviour';
import { type ApiServer, startApi } from './api-server';

/** Public on purpose: it only opens the simulator. */
export const ${upper}_CREDENTIALS = { token: 'demo-token' } as const;
export const ${upper}_PATH = '/listings';

const USUAL_PAGE = 20;
const MOST_PER_PAGE = 100;

export interface Simulated${pascal}Listing {
  id: number;
  members?: object;
  photos?: number;
}

/** The state of the simulated account of ${code}. Tests change it at any time. */
export interface ${pascal}State {
  listings: () => readonly Simulated${pascal}Listing[];
  /** The declared number of listings; undefined: the real one. */
  total: (() => number | undefined) | undefined;
  /** Whether the API accepts the token. */
  letsIn: boolean;
  /** Whether each answer has other addresses for the same photos. */
  movesPhotos: boolean;
  /** Called before each page of the list. */
  beforePage: () => void;
}

/** Simulates the API of one account. It must have every weakness that the README describes. */
export async function simulate${pascal}(state: ${pascal}State): Promise<ApiServer> {
  let answers = 0;
  const versionOf = ({ movesPhotos }: ${pascal}State): number => (movesPhotos ? answers : 0);
  return await startApi(({ url, headers }) => {
    answers += 1;
    if (!state.letsIn || headers.authorization !== \`Bearer \${${upper}_CREDENTIALS.token}\`)
      return json(401, { error: 'Unauthorized' });
    ${answersOne ? `if (url.pathname === ${upper}_PATH) return pageOf(url, state, versionOf(state));${one}` : `return url.pathname === ${upper}_PATH ? pageOf(url, state, versionOf(state)) : json(404, { error: 'Not found' });`}
  });
}

function pageOf({ searchParams: query }: URL, state: ${pascal}State, version: number): Answer {
  state.beforePage();
  const page = Number(query.get('page') ?? 1);
  const size = Math.min(Number(query.get('per_page') ?? USUAL_PAGE), MOST_PER_PAGE);
  const all = state.listings().map((listing) => ${isDetails ? 'summaryOf(listingOf(listing, version))' : 'listingOf(listing, version)'});
  const total = state.total === undefined ? all.length : state.total();
  return json(200, { ...(total !== undefined && { total }), ${root}: all.slice((page - 1) * size, page * size) });
}
${isDetails ? summaries : ''}
function listingOf({ id, members, photos = 0 }: Simulated${pascal}Listing, version: number): Record<string, unknown> {
  const photo = Array.from({ length: photos }, (_, at) => \`https://photos.example.org/\${id}/\${at}.jpg?v=\${version}\`);
  return {
    ...{ id: String(id), reference: \`R\${id}\`, updated: '2026-03-01 10:00:00', offer: 'sale', kind: 'house' },
    ...{ price: '250000', area: '92,5', rooms: '4', postcode: '01000', city: 'Bourg-Fictif', title: \`Maison \${id}\` },
    photos: { photo },
    ...members,
  };
}
`;
}

const GONE = `
  it('is incomplete when a listing is gone before it is requested', async () => {
    source.api.fault = ({ url }) => {
      if (url.pathname.endsWith('/3')) state.listings = () => upTo(2);
      return undefined;
    };
    expect((await read()).summary.incomplete).toContain('a listing could not be read');
  });

  it('requests each listing once', async () => {
    await read();
    const asked = source.api.requests.flatMap(({ url }) => (url.pathname === PATH ? [] : url.pathname));
    expect(asked.sort()).toEqual(upTo(5).map(({ id }) => \`\${PATH}/\${id}\`));
  });
`;

const ONE = `
  it('serves the single listing that a call names', async () => {
    const answer = await fetch(\`http://\${source.api.host}\${PATH}/3\`, {
      headers: { authorization: \`Bearer \${CREDENTIALS.token}\` },
    });
    const document = (connector.fetch as PushedFetch).document!(Buffer.from(await answer.arrayBuffer()), '3');
    expect(JSON.parse(document.toString())).toMatchObject({ ROOT: [{ id: '3' }] });
  });
`;

function simulatedSpec({ code, root, pascal, upper }: Names, kind: ConnectorKind): string {
  const isDetails = kind === 'details';
  const isPushed = kind === 'pushed';
  const one = ONE.replaceAll('PATH', `${upper}_PATH`).replace('CREDENTIALS', `${upper}_CREDENTIALS`);
  return `import { AccessRefused } from '@passerelle/domain';
${isPushed ? "import type { PushedFetch } from '../../libs/connectors/src/kit/contracts';" : ''}
import { connector } from '../../libs/connectors/src/sources/${code}/connector';
import {
  ${upper}_CREDENTIALS,
  ${upper}_PATH,
  type ${pascal}State,
  simulate${pascal},
  type Simulated${pascal}Listing,
} from './apis/${code}';
import {
  describeMoves,
  describeMovingPhotos,
  describeReplicas,
  describeTrouble,
  idsIn,
  simulatedSource,
} from './simulated-source';

const upTo = (count: number, changes: Partial<Simulated${pascal}Listing> = {}): Simulated${pascal}Listing[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, ...changes }));

const source = simulatedSource<${pascal}State>({
  connector,
  simulate: simulate${pascal},
  newState: () => ({
    listings: () => upTo(5),
    ...{ total: undefined, letsIn: true, movesPhotos: false },
    beforePage: () => undefined,
  }),
  credentials: ${upper}_CREDENTIALS,
  path: ${upper}_PATH,
});
const { state, read } = source;

describe('an account of ${code}', () => {
  it.each(['3', '4'])('is read completely, with %s listings per page', async (limit) => {
    const feed = await read({ limit });
    expect([idsIn(feed), feed.summary.incomplete]).toEqual([[1, 2, 3, 4, 5], null]);
  });

  it('is complete without listings', async () => {
    state.listings = () => [];
    expect((await read()).summary).toMatchObject({ records: 0, incomplete: null });
  });

  it('ends with AccessRefused after one request when its token is refused', async () => {
    state.letsIn = false;
    await expect(read()).rejects.toThrow(AccessRefused);
    expect(source.api.requests).toHaveLength(1);
  });
${isDetails ? GONE.replaceAll('PATH', `${upper}_PATH`) : ''}${isPushed ? one.replace('ROOT', root) : ''}});

describeMovingPhotos(source, () => {
  state.listings = () => upTo(2, { photos: 2 });
});

describeTrouble(source, ({ url }) => url.pathname === ${upper}_PATH);

describeMoves((list, beforePage) => {
  state.listings = () => list.ids.map((id) => ({ id }));
  state.beforePage = beforePage;
  return read({ limit: '4' });
});

describeReplicas((list) => {
  state.listings = () => list.ids().map((id) => ({ id }));
  state.total = () => list.total();
  state.beforePage = () => {
    list.beforePage();
  };
  return read({ limit: '3' });
});
`;
}
