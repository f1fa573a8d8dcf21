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

/** Before a release, `npm run bench -- edge` tries 175,000 and 65,000 requests against the built programs. */
const REQUESTS = sizeOf('HOSTILE_REQUESTS', { brief: 500, full: 3_000 });
const CALLS = sizeOf('FUZZED_CALLS', { brief: 500, full: 3_000 });

// Real: HTTP on bare sockets, PostgreSQL; one API with the fast lane and one without it, over one database. Fake: the
// ingestor.
const SETTINGS = { walkSeconds: HOSTILE_WALK_SECONDS, refusedKeysPerMinute: 1_000_000 };
const NO_FAULTS = { wrong: [], mixes: [], leaks: [], differences: [] };
let api: ApiUnderTest;
let plain: NestFastifyApplication;
let gateways: SeededGateway[];
let run: Pick<HostileRun, 'database' | 'ports' | 'seed'>;

beforeAll(async () => {
  api = await startApi(SETTINGS, { hasFastPath: true });
  plain = await createApp({
    config: { ...parseConfig({ DATABASE_URL: api.testDatabase.urlOf('serve') }), ...SETTINGS },
    documents: API_DOCUMENTS,
    hasFastPath: false,
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

describe('similar requests while lists are published', () => {
  it('get equal answers from lane and controller, each from one list of their own gateway', async () => {
    const sends = jest.spyOn(api.app.get(PageSender), 'answer');
    const { ledger, sent } = await runHostileRows(gateways, { ...run, requests: REQUESTS });
    expect(ledger.faults).toEqual(NO_FAULTS);
    expect(ledger.answers).toBeGreaterThan(sent);
    expect(ledger.compared).toBeGreaterThan(sent / 2);
    // The lane has answered pages, because the controller has answered fewer than half of them.
    expect(sends.mock.calls.length).toBeLessThan(sent / 2);
  });
});

describe('requests with random parts', () => {
  it('get equal answers from lane and controller; all match openapi.json, and none is a 500', async () => {
    const { ledger, sent } = await runFuzzedCalls(gateways, api.contract, { ...run, requests: CALLS });
    expect(ledger.faults).toEqual(NO_FAULTS);
    expect(ledger.answers).toBe(2 * sent);
  });
});
