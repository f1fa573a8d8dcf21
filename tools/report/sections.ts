export interface ReportRow {
  subject: string;
  /** Paths of specs, relative to the root. */
  specs: readonly string[];
}

export interface ReportSection {
  title: string;
  /** The jest configuration that has these specs. */
  config: 'jest.config.js' | 'jest.long.config.js';
  rows: readonly ReportRow[];
}

const api = (...names: string[]): string[] => names.map((name) => `test/medium/api/${name}.spec.ts`);
const drill = (...names: string[]): string[] => names.map((name) => `test/long/e2e/${name}.spec.ts`);

/** The contents of docs/compliance.md: its figures come from the runs of these specs. */
export const SECTIONS: readonly ReportSection[] = [
  {
    title: 'The contract of the API',
    config: 'jest.config.js',
    rows: [
      { subject: '`GET /v1`, `GET /v1/connectors`, `/openapi.json`, `/docs`', specs: api('discovery') },
      { subject: 'parameters and their errors', specs: api('parameters') },
      { subject: 'keys, scopes, networks, disabled gateways', specs: api('access', 'key-hashes') },
      { subject: '`GET /v1/properties`', specs: api('properties', 'walks') },
      { subject: '`GET /v1/properties/{id}`', specs: api('property') },
      { subject: '`POST /v1/report`, `POST /report`, `GET /v1/status`', specs: api('report') },
      { subject: 'v0: `GET /` with `variable1` and `variable2`', specs: api('legacy') },
      { subject: 'headers, `HEAD`, conditional requests, methods', specs: api('http') },
      { subject: 'fields of a listing', specs: ['test/architecture/fields'] },
    ],
  },
  {
    title: 'OpenAPI',
    config: 'jest.config.js',
    rows: [
      { subject: 'every answer matches its description, also for hostile requests', specs: api('hostile') },
      {
        subject: 'routes, reference and client types match the description',
        specs: ['routes', 'api-reference', 'client-types'].map((name) => `test/architecture/${name}.spec.ts`),
      },
    ],
  },
  {
    title: 'Standard Webhooks',
    config: 'jest.config.js',
    rows: [
      {
        subject: 'vectors, and the published library verifies our signatures',
        specs: ['test/medium/clients/webhooks.spec.ts', 'libs/domain/src/webhook'],
      },
    ],
  },
  {
    title: 'Proof before removal',
    config: 'jest.config.js',
    rows: [
      { subject: 'the publish gate', specs: ['libs/domain/src/run/publish-gate.spec.ts', 'test/medium/gate'] },
      { subject: 'sync with proof', specs: api('sync') },
    ],
  },
  {
    title: 'Accessibility in a browser (axe-core)',
    config: 'jest.long.config.js',
    rows: [
      { subject: 'console', specs: ['test/long/medium/console-in-browser.spec.ts'] },
      { subject: 'plugin', specs: ['test/long/wordpress/pages-in-browser.spec.ts'] },
    ],
  },
  {
    title: 'Drills',
    config: 'jest.long.config.js',
    rows: [
      { subject: 'loss of the database or the queue', specs: drill('outages') },
      { subject: 'failover to a standby', specs: drill('failover') },
      { subject: 'full disk', specs: drill('full-disk') },
      {
        subject: 'killed imports and senders',
        specs: drill('killed-imports', 'killed-senders', 'killed-while-storing'),
      },
      { subject: 'clocks that jump', specs: drill('clock-jumps') },
      { subject: 'sources that misbehave', specs: drill('misbehaving-sources') },
      { subject: 'private data', specs: drill('canaries') },
      { subject: 'backups under load', specs: drill('backups-under-load') },
      { subject: 'the previous release beside this one', specs: drill('release-before') },
    ],
  },
];
