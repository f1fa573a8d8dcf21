import type { Database, PlacementTerms } from '@passerelle/database';

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
