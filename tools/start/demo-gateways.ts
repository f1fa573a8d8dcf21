import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, GatewayDetails } from '@passerelle/database';
import { isRunOver, KeyHashes, SecretBox, storeSource, visiblePrefix } from '@passerelle/domain';
import { SIMULATED_CRMS, type SimulatedCrm } from '../simulator/property';
import { APIMO_CREDENTIALS, simulatorSources } from '../simulator/sources';
import { AGENCIES } from '../simulator/invented-world';

export interface DemoGateway {
  crm: SimulatedCrm;
  client: string;
  /** A fixed, documented key. It gives access only to invented listings, and exists only under `npm start`. */
  key: string;
}

const DEMO_CLIENT = 'demo';

export const DEMO_GATEWAYS: readonly DemoGateway[] = SIMULATED_CRMS.map((crm) => ({
  crm,
  client: DEMO_CLIENT,
  key: `demo-${crm}-not-a-secret`,
}));

/** Connector settings for values that the feed does not contain. */
const SETTINGS: Readonly<Record<SimulatedCrm, Record<string, string>>> = {
  apimo: {},
  kyero: {},
  poliris: { 'agence-nom': AGENCIES.poliris.name },
};

/** Creates missing demo gateways, and updates existing ones to the simulator's present address. */
export async function ensureDemoGateways(database: Database, secretsKey: string, simulatorHost: string): Promise<void> {
  const sources = simulatorSources(simulatorHost);
  const box = new SecretBox(secretsKey);
  const hashes = await keyHashes(database, secretsKey);
  for (const { crm, client, key } of DEMO_GATEWAYS) {
    const gateway = await database.gateways.find(crm, client);
    const source = {
      // The stored settings are complete, because only addresses are masked, and demo settings contain none.
      ...storeSource({ url: sources[crm], settings: gateway?.settings ?? SETTINGS[crm] }, box),
      credentials: crm === 'apimo' ? box.seal(JSON.stringify(APIMO_CREDENTIALS)) : null,
    };
    if (gateway !== null) {
      await database.gateways.setSource(gateway.id, source);
      continue;
    }
    await database.gateways.add(
      { crm, client, ...source, everySeconds: null, contractEnd: null },
      { ...hashes.make(key), prefix: visiblePrefix(key) },
    );
  }
}

export interface DemoResult {
  gateway: DemoGateway;
  /** Null before the first publication. */
  listings: number | null;
  remark: string | null;
}

const RUN_PATIENCE_MS = 120_000;

export async function pullDemoGateways(
  database: Database,
  secretsKey: string,
  signal: AbortSignal,
): Promise<DemoResult[]> {
  const hashes = await keyHashes(database, secretsKey);
  return Promise.all(DEMO_GATEWAYS.map((gateway) => pull(database, hashes, gateway, signal)));
}

async function keyHashes(database: Database, secretsKey: string): Promise<KeyHashes> {
  return new KeyHashes({ secretsKey, secretsKeyOld: null, pepper: await database.installation.keyPepper() });
}

async function pull(
  database: Database,
  hashes: KeyHashes,
  gateway: DemoGateway,
  signal: AbortSignal,
): Promise<DemoResult> {
  const details = await findOrThrow(database, gateway);
  if (!details.enabled) return { gateway, listings: details.listings, remark: 'disabled' };
  const runId = await database.runRequests.request({ gatewayId: details.id, trigger: 'ops' });
  const remark = (await runRemark(database, runId, signal)) ?? (await keyRemark(database, hashes, gateway));
  return { gateway, listings: (await findOrThrow(database, gateway)).listings, remark };
}

async function runRemark(database: Database, runId: number, signal: AbortSignal): Promise<string | null> {
  const deadline = Date.now() + RUN_PATIENCE_MS;
  while (Date.now() < deadline) {
    const run = await database.runHistory.find(runId);
    if (run !== null && isRunOver(run.state)) {
      return run.state === 'published' || run.state === 'unchanged'
        ? null
        : `run ${run.id} ${run.state}: ${run.reason ?? ''}`;
    }
    await sleep(100, undefined, { signal });
  }
  return `run ${runId} is not over yet`;
}

/** Returns a remark if an operator has given the gateway another key. */
async function keyRemark(
  database: Database,
  hashes: KeyHashes,
  { crm, client, key }: DemoGateway,
): Promise<string | null> {
  const served = await database.servedGateways.find(crm, client);
  return hashes.matching(key, served?.keys ?? [], Date.now()).length > 0 ? null : 'its key was rotated';
}

async function findOrThrow(database: Database, { crm, client }: DemoGateway): Promise<GatewayDetails> {
  const details = await database.gateways.find(crm, client);
  if (details === null) throw new Error(`the demo gateway ${crm}/${client} was removed while it was started`);
  return details;
}
