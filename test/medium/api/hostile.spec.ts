import { sizeOf } from '../../support/full-size';
import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { parseConfig } from '../../../apps/api/src/config';
import { createApp } from '../../../apps/api/src/create-app';
import { PageSender } from '../../../apps/api/src/properties/page-sender';
import { API_DOCUMENTS } from '../../support/api-documents';
import {
  addHostileGateways,
  HOSTILE_WALK_SECONDS,
  type HostileRun,
  runFuzzedCalls,
  runHostileRows,
} from '../../support/hostile/run-rows';
import { type ApiUnderTest, type SeededGateway, startApi } from './api-under-test';

/** A release tries 175,000 and 65,000 against the built programs: `npm run bench -- edge`. */
const REQUESTS = sizeOf('HOSTILE_REQUESTS', { brief: 500, full: 3_000 });
const CALLS = sizeOf('FUZZED_CALLS', { brief: 500, full: 3_000 });

// Real: HTTP on bare sockets, PostgreSQL, an API with the lane and one without over one database. Fake: the ingestor.
const SETTINGS = { walkSeconds: HOSTILE_WALK_SECONDS, refusedKeysPerMinute: 1_000_000 };
const NO_FAULTS = { wrong: [], mixes: [], leaks: [], differences: [] };
let api: ApiUnderTest;
let plain: NestFastifyApplication;
let gateways: SeededGateway[];
let run: Pick<HostileRun, 'database' | 'ports' | 'seed'>;

beforeAll(async () => {
  api = await startApi(SETTINGS, { hasLane: true });
  plain = await createApp({
    config: { ...parseConfig({ DATABASE_URL: api.testDatabase.urlOf('serve') }), ...SETTINGS },
    documents: API_DOCUMENTS,
    hasLane: false,
  });
  await plain.listen(0, '127.0.0.1');
  const ports = [api.app, plain].map((app) => (app.getHttpServer().address() as AddressInfo).port);
  gateways = await addHostileGateways(api.database);
  run = { database: api.database, ports, seed: 7 };
});
afterAll(async () => {
  await plain.close();
  await api.close();
});

describe('requests that try to be taken for one another, while lists are published', () => {
  it('get the same right answers from lane and controller, of one list each, and of their own gateway', async () => {
    const sends = jest.spyOn(api.app.get(PageSender), 'answer');
    const { ledger, sent } = await runHostileRows(gateways, { ...run, requests: REQUESTS });
    expect(ledger.faults).toEqual(NO_FAULTS);
    expect(ledger.answers).toBeGreaterThan(sent);
    expect(ledger.compared).toBeGreaterThan(sent / 2);
    // The lane has answered pages: not all were the controller's.
    expect(sends.mock.calls.length).toBeLessThan(sent / 2);
  });
});

describe('calls of which every part is odd', () => {
  it('get the same answers from both, as openapi.json has them, and none of a failure', async () => {
    const { ledger, sent } = await runFuzzedCalls(gateways, api.contract, { ...run, requests: CALLS });
    expect(ledger.faults).toEqual(NO_FAULTS);
    expect(ledger.answers).toBe(2 * sent);
  });
});
