import { spawnSync } from 'node:child_process';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import { addGateway, someListings } from '../../medium/api/api-under-test';
import { commandOnPath, describeWith } from '../../support/command-on-path';
import { aFreePort } from '../../support/free-port';
import { type Program, startProgram, untilReady } from '../../support/program';
import { type Probe, type Proxy, startHaproxy } from '../../support/proxies';
import { request, LEAST_REQUESTS, startLoad } from '../../support/steady-load';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

interface Deployment {
  kind: string;
  metadata: { name: string };
  spec: {
    replicas: number;
    strategy: { rollingUpdate: object };
    template: {
      spec: {
        terminationGracePeriodSeconds: number;
        containers: { readinessProbe: Probe; env: { name: string; value: string }[] }[];
      };
    };
  };
}

/**
 * A pod becomes unready when a probe gets no answer for two seconds. Readers pause, so that probes are answered in
 * time.
 */
const REST_MS = 25;

// Real: the chart as helm renders it, HAProxy, API processes with the chart's settings, PostgreSQL. Fake: the kubelet,
// whose probes HAProxy sends.
describeWith(
  commandOnPath('haproxy') ? 'helm' : 'haproxy',
  'a rolling upgrade with the settings of the Helm chart',
  () => {
    let db: TestDatabase;
    let proxy: Proxy;
    let ports: number[];
    const pods: Program[] = [];
    let spec: Deployment['spec'];
    let container: Deployment['spec']['template']['spec']['containers'][number];

    beforeAll(async () => {
      ({ spec } = deploymentOf('api'));
      [container] = spec.template.spec.containers as [typeof container];
      db = await createTestDatabase();
      ports = await Promise.all([0, 1, 2, 3].map(() => aFreePort()));
      for (const at of [0, 1]) pods.push(await start(at));
      proxy = await startHaproxy(ports, container.readinessProbe);
    });
    afterAll(async () => {
      await proxy.stop();
      await Promise.all(pods.map((one) => one.stop()));
      await db.drop();
    });

    async function start(at: number): Promise<Program> {
      const drain = container.env.find(({ name }) => name === 'DRAIN_SECONDS')!.value;
      const env = { DATABASE_URL: db.url, PORT: String(ports[at]), DRAIN_SECONDS: drain };
      const api = startProgram('apps/api/src/main.js', env);
      await untilReady(api, `http://127.0.0.1:${ports[at]}${container.readinessProbe.httpGet.path}`);
      return api;
    }

    it('causes no failed request', async () => {
      const gateway = await addGateway(db.database, { listings: someListings(50) });
      const path = `/v1/properties?${gateway.query}&per_page=50`;
      const asked = { origin: proxy.url, path, headers: { ...gateway.headers, 'X-Request-Id': 'upgrade' } };
      const expected = await request(new Agent(), asked);
      expect(expected.status).toBe('200');
      const load = startLoad(
        asked,
        ({ status, body }) => `${status} with ${body.equals(expected.body) ? 'all' : 'else'}`,
        REST_MS,
      );

      expect([spec.replicas, spec.strategy.rollingUpdate]).toEqual([2, { maxUnavailable: 0, maxSurge: 1 }]);
      for (const at of [0, 1]) {
        const next = await start(at + 2);
        await sleep(container.readinessProbe.periodSeconds * 1_000);
        const before = pods[at]!;
        const begun = Date.now();
        before.signal('SIGTERM');
        expect(await before.ended).toBe(0);
        expect(Date.now() - begun).toBeLessThan(spec.template.spec.terminationGracePeriodSeconds * 1_000);
        pods[at] = next;
      }

      const answers = await load.stop();
      expect(answers).toEqual({ '200 with all': expect.any(Number) });
      expect(answers['200 with all']).toBeGreaterThanOrEqual(LEAST_REQUESTS);
    });
  },
);

function deploymentOf(component: string): Deployment {
  const values = {
    ...{ baseUrl: 'https://listings.example.org', trustProxy: ['127.0.0.1'], database: { host: 'db.internal' } },
    ...{ media: { none: true }, secrets: { existingSecret: 'passerelle' } },
  };
  const args = ['template', 'r', 'deploy/helm/passerelle', '--values', '-'];
  const { stdout } = spawnSync('helm', args, { input: JSON.stringify(values), encoding: 'utf8' });
  const objects = parseAllDocuments(stdout).map((document) => document.toJS() as Deployment | null);
  return objects.find((one) => one?.kind === 'Deployment' && one.metadata.name.endsWith(`-${component}`))!;
}
