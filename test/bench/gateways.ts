import { createWriteStream } from 'node:fs';
import { copyFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectorRegistry, loadRegistry, MappingThreads } from '@passerelle/connectors';
import { generateApiKey, hashApiKey, visiblePrefix } from '@passerelle/domain';
import type { MediaLocation } from '@passerelle/media';
import { spareCores } from '../../apps/ingestor/src/config';
import type { RunEnd } from '../../apps/ingestor/src/ingest/run-end';
import { runWaiting } from '../support/gateway-runner';
import type { Surroundings } from './surroundings';

export interface BenchGateway {
  id: number;
  client: string;
  key: string;
}

/** Seldom, so that the queries cost nothing beside an import. */
const POLL_MS = 250;

let gateways = 0;
let registry: ConnectorRegistry | undefined;
const threads = new MappingThreads({ most: spareCores() });

export async function addGateway({ database }: Surroundings, crm: string, sourceUrl: string): Promise<BenchGateway> {
  gateways += 1;
  const client = `client-${gateways}`;
  const key = generateApiKey();
  const id = await database.gateways.add(
    { crm, client, sourceUrl, settings: {}, credentials: null, everySeconds: 86_400, contractEnd: null },
    { hash: hashApiKey(key, await database.installation.keyPepper()), prefix: visiblePrefix(key) },
  );
  return { id, client, key };
}

/** Puts a file into the inbox, with a modification time of an hour ago. */
export async function drop({ inboxDir }: Surroundings, name: string, pieces: Iterable<Buffer>): Promise<string> {
  const path = join(inboxDir, name);
  await pipeline(pieces, createWriteStream(path));
  await settle(path);
  return path;
}

/** Copies an earlier file in the inbox, because generating it again would leave garbage in memory. */
export async function dropCopy({ inboxDir }: Surroundings, name: string, of: string): Promise<string> {
  const path = join(inboxDir, name);
  await copyFile(of, path);
  await settle(path);
  return path;
}

async function settle(path: string): Promise<void> {
  const longAgo = new Date(Date.now() - 3_600_000);
  await utimes(path, longAgo, longAgo);
}

/** Requests a run from a running ingestor and waits for its end. @returns how long the run took, in ms */
export async function importedBy({ database }: Surroundings, gatewayId: number): Promise<number> {
  const id = await database.runRequests.request({ gatewayId, trigger: 'ops' });
  for (;;) {
    const run = await database.runHistory.find(id);
    if (run !== null && run.ended_at !== null) {
      if (run.state !== 'published') throw new Error(`the import ended as ${run.state}: ${run.reason ?? ''}`);
      return Date.parse(run.ended_at) - Date.parse(run.started_at ?? '');
    }
    await sleep(POLL_MS);
  }
}

/**
 * Runs one import of a gateway in this process with the ingestor's code, from the lease to the published snapshot.
 * @param places the location for photos, and the host and port of a source on this machine
 */
export async function importNow(
  surroundings: Surroundings,
  gateway: BenchGateway,
  { photosAt, source }: { photosAt?: MediaLocation; source?: string } = {},
): Promise<RunEnd> {
  const { database, inboxDir } = surroundings;
  registry ??= await loadRegistry();
  await database.runRequests.request({ gatewayId: gateway.id, trigger: 'ops' });
  const ends: RunEnd[] = [];
  const outbound = {
    allowPrivate: new Set(source === undefined ? [] : [source]),
    inboxDir,
    maxBytes: 2 ** 33,
    timeoutMs: 600_000,
  };
  const options = {
    leaseSeconds: 30,
    everySeconds: 86_400,
    runTimeoutMs: 3_600_000,
    announcerSeconds: 5,
    announcedSeconds: 15,
  };
  await runWaiting(database, gateway.id, {
    ...{ registry, outbound, options, threads, onRunEnd: (end) => ends.push(end) },
    ...(photosAt !== undefined && { media: { place: photosAt, baseUrl: 'https://photos.example.org' } }),
  });
  const [end] = ends;
  if (end === undefined) throw new Error('the run was not carried out');
  return end;
}
