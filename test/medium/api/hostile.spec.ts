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

// Real: HTTP on bare sockets, PostgreSQL, one API with the lane and one without it over one database. Fake: the
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

describe('requests that resemble each other, while lists are published', () => {
  it('get equal answers from lane and controller, each from one list and from their own gateway', async () => {
    const sends = jest.spyOn(api.app.get(PageSender), 'answer');
    const { ledger, sent } = await runHostileRows(gateways, { ...run, requests: REQUESTS });
    expect(ledger.faults).toEqual(NO_FAULTS);
    expect(ledger.answers).toBeGreaterThan(sent);
    expect(ledger.compared).toBeGreaterThan(sent / 2);
    // The lane has answered pages: the controller did not answer all of them.
    expect(sends.mock.calls.length).toBeLessThan(sent / 2);
  });
});

describe('requests with random parts', () => {
  it('get equal answers from lane and controller that match openapi.json, and no 500', async () => {
    const { ledger, sent } = await runFuzzedCalls(gateways, api.contract, { ...run, requests: CALLS });
    expect(ledger.faults).toEqual(NO_FAULTS);
    expect(ledger.answers).toBe(2 * sent);
  });
});
