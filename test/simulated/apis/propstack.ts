import { createHmac } from 'node:crypto';
import { json } from '../../../tools/simulator/answers';
import type { Answer } from '../../../tools/simulator/misbehaviour';
import { type ApiServer, startApi } from './api-server';

/** Only the simulator accepts these credentials. */
export const PROPSTACK_CREDENTIALS = { 'api-key': 'demo-key-of-propstack' } as const;

const USUAL_PAGE = 20;

/** The content of the simulated account of Propstack. A test may change it at any time. */
export interface PropstackState {
  /** Units by number. The values are the differences from the default unit. */
  units: Map<number, object>;
  removed: { id: number; at: Date }[];
  /** Whether the key has the right to request removed units. */
  reportsRemoved: boolean;
  /** Returns the unit numbers in list order, to simulate a changing list. */
  order?: (() => readonly number[]) | undefined;
  /** Replaces the total that the API reports. */
  total?: (() => number | undefined) | undefined;
  /** Called before each page. */
  beforePage?: (() => void) | undefined;
}

/** Simulates Propstack for one account as published client code of 2026 uses the API. */
export async function simulatePropstack(state: PropstackState): Promise<ApiServer> {
  return await startApi(({ url, headers }) => {
    if (headers['x-api-key'] !== PROPSTACK_CREDENTIALS['api-key']) return problem(401, 'API-Key ist ungültig');
    if (url.pathname === '/v2/properties/deleted') {
      if (!state.reportsRemoved) return problem(403, 'keine Rechte');
      const since = new Date(url.searchParams.get('deleted_at_from') ?? 0);
      const removed = state.removed.filter(({ at }) => at >= since);
      return json(200, { data: removed.map(({ id, at }) => ({ id, deleted_at: at.toISOString() })) });
    }
    if (url.pathname === '/v1/units') return pageOf(url, state);
    const id = Number(/^\/v1\/units\/(\d+)$/.exec(url.pathname)?.[1] ?? NaN);
    const unit = state.units.get(id);
    if (unit === undefined) return problem(404, `Property mit der id=${id} konnte nicht gefunden werden.`);
    return json(200, unitOf(id, unit));
  });
}

/** Propstack's webhook request for one change: the body, and the headers with its signature. */
export function propstackWebhook(
  event: string,
  id: number,
  secret: string,
): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify({ event, data: { id, name: 'of the agency’s own work' } });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return { body, headers: { 'content-type': 'application/json', 'x-propstack-signature': signature } };
}

function problem(status: number, error: string): Answer {
  return json(status, { errors: [error] });
}

function unitOf(id: number, members: object): object {
  return {
    ...{
      id,
      title: `Wohnung ${id}`,
      marketing_type: 'BUY',
      rs_type: 'APARTMENT',
      hide_address: false,
      archived: false,
    },
    ...{ city: 'Berlin', zip_code: '10115', country: 'DE', price: 300_000, images: [] },
    living_space: { label: 'Wohnfläche', value: 80 },
    property_status: { id: 1, name: 'In Vermarktung' },
    ...members,
  };
}

function pageOf({ searchParams: query }: URL, { units, order, total, beforePage }: PropstackState): Answer {
  beforePage?.();
  const [per, page] = [Number(query.get('per') ?? USUAL_PAGE), Number(query.get('page') ?? 1)];
  const all = order?.() ?? [...units.keys()].sort((a, b) => a - b);
  const data = all.slice((page - 1) * per, page * per).map((id) => unitOf(id, units.get(id) ?? {}));
  const total_count = total === undefined ? all.length : total();
  return json(200, { data, meta: { ...(total_count !== undefined && { total_count }) } });
}
