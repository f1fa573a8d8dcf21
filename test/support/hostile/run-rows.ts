import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@passerelle/database';
import { addGateway, publishListings, type SeededGateway } from '../../medium/api/api-under-test';
import type { Contract } from '../contract';
import { carryOut, type Exchange } from './exchange';
import { FuzzedCalls } from './fuzzed';
import { Ledger } from './ledger';
import { HostileRows, listOf } from './rows';

/**
 * Shorter than some intervals between publications, so that requests also use the fast lane. The setting allows no
 * lower value.
 */
export const HOSTILE_WALK_SECONDS = 2;

/** Each gateway's interval between publications during the run; 0 if its list does not change. */
const EVERY_MS = [1_000, 4_000, 0];

export interface HostileRun {
  database: Database;
  /** The ports of APIs that share the database. Each API gets the same rows. */
  ports: readonly number[];
  /** The minimum number of requests that each API gets. */
  requests: number;
  seed: number;
  connections?: number;
}

/** The result of a hostile run. */
export interface HostileEnd {
  ledger: Ledger;
  /** The number of requests that each API got. */
  sent: number;
  /** The number of lists that were published meanwhile. */
  published: number;
}

export async function addHostileGateways(database: Database): Promise<SeededGateway[]> {
  const gateways: SeededGateway[] = [];
  for (const n of EVERY_MS.keys()) gateways.push(await addGateway(database, { listings: listOf(n, 0) }));
  return gateways;
}

/** Sends hostile rows to all APIs while lists are published. */
export function runHostileRows(gateways: readonly SeededGateway[], run: HostileRun): Promise<HostileEnd> {
  return runAll(gateways, new HostileRows(gateways, run.seed), new Ledger(), run);
}

/** Sends fuzzed requests to all APIs while lists are published, and compares each answer with openapi.json. */
export function runFuzzedCalls(
  gateways: readonly SeededGateway[],
  contract: Contract,
  run: HostileRun,
): Promise<HostileEnd> {
  return runAll(gateways, new FuzzedCalls(gateways, run.seed), new Ledger(contract), run);
}

async function runAll(
  gateways: readonly SeededGateway[],
  source: { count: number; next: () => Exchange },
  ledger: Ledger,
  { database, ports, requests, connections = 8 }: HostileRun,
): Promise<HostileEnd> {
  const state = { isOver: false, published: 0 };
  const publishing = EVERY_MS.map(async (everyMs, n) => {
    for (let version = 1; everyMs > 0 && !state.isOver; version += 1) {
      await publishListings(database, gateways[n]?.id ?? 0, listOf(n, version));
      state.published += 1;
      await sleep(everyMs);
    }
  });
  const sending = Array.from({ length: connections }, async () => {
    while (source.count < requests) {
      const row = source.next();
      const outcomes = await Promise.all(ports.map((port) => carryOut(port, row)));
      for (const outcome of outcomes) ledger.check(row, outcome);
    }
  });
  await Promise.all(sending).finally(() => {
    state.isOver = true;
    return Promise.all(publishing);
  });
  return { ledger, sent: source.count, published: state.published };
}
