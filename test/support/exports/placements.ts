import type { Database, PlacementTerms } from '@passerelle/database';
import type { TestDatabase } from '../test-database';

export const TERMS: PlacementTerms = {
  ...{ contact: {}, rule: {}, embargoHours: 0, idScheme: 'own', advertIds: {}, language: 'fr', settings: {} },
  ...{ isDryRun: false, keepsAfterContract: false },
};

/** Adds a placement that is on. @returns its id */
export function addPlacement(
  database: Database,
  gatewayId: number,
  target: string,
  terms: Partial<PlacementTerms> & { credentials?: Buffer | null } = {},
): Promise<number> {
  return database.placements.add({ ...TERMS, credentials: null, ...terms, gatewayId, target, isOn: true });
}

/** The states of a placement's publications, by `affId`. */
export async function statesOf(database: Database, placement: number): Promise<Record<string, string>> {
  const rows = await database.publications.list({ placement }, 0, 10_000);
  return Object.fromEntries(
    rows
      .toSorted((a, b) => (a.affId < b.affId ? -1 : 1))
      .map(({ affId, state, reasonCode }) => [affId, reasonCode === null ? state : `${state}: ${reasonCode}`]),
  );
}

/** Adds a placement as exports left it: held, with an advert in each of three states. @returns its id */
export async function addExportedPlacement({ database, query }: TestDatabase, gatewayId: number): Promise<number> {
  const id = await addPlacement(database, gatewayId, 'poliris');
  const held = {
    ...{ code: 'vanished', message: '2 of 3 adverts would disappear at the portal, and 0 would be new' },
    ...{ total: 3, removed: 2 },
  };
  await query(
    `UPDATE placement SET result = 'held', held = $2, held_at = now(), exported_at = now(),
       counts = '{"ready": 1, "added": 0, "changed": 0, "removed": 2, "refused": 1, "waiting": 1}' WHERE id = $1`,
    [id, JSON.stringify(held)],
  );
  const adverts = [
    ['A', 'online', null, null, 'https://portal.example/adverts/1'],
    ['B', 'refused', 'refused', 'the portal gave no reason', null],
    ['C', 'waiting', 'not-ready', 'codePostal is required; photos needs at least 1 photo', null],
  ];
  for (const advert of adverts)
    await query(
      `INSERT INTO publication (gateway_id, placement_id, aff_id, advert_id, state, reason_code, reason, url)
       VALUES ($1, $2, $3, $3, $4, $5, $6, $7)`,
      [gatewayId, id, ...advert],
    );
  return id;
}
