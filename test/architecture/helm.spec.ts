import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import { PodMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor';
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import { type Program, type Setting, SETTINGS } from '@passerelle/settings';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { parse } from 'yaml';
import { parseConfig as parseApiConfig } from '../../apps/api/src/config';
import { parseConfig as parseConsoleConfig } from '../../apps/console/src/config';
import { parseConfig as parseIngestorConfig } from '../../apps/ingestor/src/config';
import { nodeFlagsOf } from '../../tools/start/service';
import { describeWith } from '../support/command-on-path';
import { expectFile } from '../support/generated-section';
import { CHART, helm, type KubernetesObject, LEAST, podOf, rendered } from '../support/helm-chart';
import { schemaOf, type Values } from '../support/helm-schema';
import { readFromRoot } from './read-from-root';

const PROGRAMS: readonly Program[] = ['API', 'ingestor', 'console', 'migrate'];
/** Settings that have separate values in the chart, or that the image sets. */
const NOT_IN_SETTINGS = [
  ...['CONSOLE_URL', 'CONSOLE_PORT', 'BASE_URL', 'TRUST_PROXY', 'DRAIN_SECONDS', 'MEDIA_BUCKET_URL'],
  ...['HOST', 'PORT', 'OPS_PORT', 'DATA_DIR', 'INBOX_DIR', 'MEDIA_DIR', 'REQUIRE_HTTPS'],
];
const passedOn = (Object.entries(SETTINGS) as [string, Setting<unknown>][]).filter(
  ([name, { isSecret, isInternal, readBy }]) =>
    !NOT_IN_SETTINGS.includes(name) &&
    isSecret !== true &&
    isInternal !== true &&
    PROGRAMS.some((program) => readBy.includes(program)),
);

describe('Helm chart', () => {
  it('has the version of this release', () => {
    const { version } = JSON.parse(readFromRoot('package.json')) as { version: string };
    expect(parse(readFromRoot(`${CHART}/Chart.yaml`))).toMatchObject({ version, appVersion: version });
  });

  it('passes to each program the settings that it reads', () => {
    const readers = passedOn.map(([name, { readBy }]) => [name, PROGRAMS.filter((one) => readBy.includes(one))]);
    expectFile(`${CHART}/files/readers.json`, `${JSON.stringify(Object.fromEntries(readers), null, 2)}\n`);
  });

  it('rejects unknown values', () => {
    const schema = schemaOf(parse(readFromRoot(`${CHART}/values.yaml`)) as Values);
    schema.properties!['settings'] = {
      type: 'object',
      properties: Object.fromEntries(
        passedOn.map(([name, { about }]) => [name, { type: ['string', 'number', 'boolean'], description: about }]),
      ),
      additionalProperties: false,
    };
    const text = JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema }, null, 2);
    expectFile(`${CHART}/values.schema.json`, `${text}\n`);
  });

  it('contains the alerts of ops/prometheus', () => {
    expectFile(`${CHART}/files/alerts.yml`, readFromRoot('ops/prometheus/alerts.yml'));
  });
});

describeWith('helm', 'rendered Helm chart', () => {
  const ADDED: [what: string, values: object][] = [
    ['only the required values', {}],
    ['a Redis server', { redis: { url: 'rediss://redis.internal:6380/2' } }],
    ['a Redis server on the default port', { redis: { url: 'redis://redis.internal/0' } }],
    ['a photo bucket', { media: { bucketUrl: 's3://photos/p?region=eu-west-3' } }],
    ['a photo bucket with credentials', { media: { bucketUrl: 's3://photos', credentialsSecret: 'bucket' } }],
    ['an inbox', { inbox: { existingClaim: 'inbox' } }],
    ['a previous SECRETS_KEY', { secrets: { existingSecret: 'passerelle', hasOldKey: true } }],
    [
      'a database with custom port, name and parameters',
      { database: { host: 'db', port: 6432, name: 'estates', parameters: 'sslmode=verify-full' } },
    ],
    ['program settings', { settings: { LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: 600, ACCESS_LOG: false } }],
    [
      'an image from another registry',
      { image: { repository: 'registry.example/p', tag: '9.9.9', pullPolicy: 'Always' } },
    ],
    ['a secret for pulling images', { imagePullSecrets: [{ name: 'pull' }] }],
    [
      'an IAM role for the bucket',
      { serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/p' } } },
    ],
    ['API replicas scaled by load', { api: { autoscaling: { enabled: true, maxReplicas: 20 } } }],
    ['ingestor replicas scaled by load', { ingestor: { scaling: { by: 'hpa' } } }],
    [
      'ingestor replicas scaled by waiting time',
      { ingestor: { scaling: { by: 'keda', prometheusUrl: 'http://prometheus:9090' } } },
    ],
    [
      'a sign-in provider for operators',
      {
        secrets: { existingSecret: 'passerelle', hasOidcSecret: true },
        settings: { OIDC_ISSUER: 'https://id.example.org', OIDC_CLIENT_ID: 'passerelle' },
      },
    ],
    [
      'a mail server',
      {
        secrets: { existingSecret: 'passerelle', hasMailUrl: true },
        settings: { MAIL_FROM: 'Agence <leads@agence.example>' },
      },
    ],
    ['no console', { console: { enabled: false } }],
    [
      'a console with an ingress',
      {
        console: {
          url: 'https://console.example.org',
          ingress: { enabled: true, className: 'inner', tlsSecret: 'tls' },
        },
        networkPolicy: { consoleFrom: [{ namespaceSelector: {} }] },
      },
    ],
    ['more replicas of the API and the ingestor', { api: { replicas: 5 }, ingestor: { replicas: 9 } }],
    ['an ingress', { ingress: { enabled: true, className: 'nginx', host: 'listings.example.org', tlsSecret: 'tls' } }],
    ['no network policy', { networkPolicy: { enabled: false } }],
    [
      'allowed peers in the network policy',
      { networkPolicy: { apiFrom: [{ namespaceSelector: {} }], opsFrom: [{ podSelector: {} }] } },
    ],
    ['monitoring', { monitoring: { enabled: true, labels: { release: 'prometheus' } } }],
    [
      'a node selector and tolerations',
      { api: { nodeSelector: { disk: 'ssd' }, tolerations: [{ key: 'a', operator: 'Exists' }] } },
    ],
    ['a private authority in a config map', { customCA: { configMap: 'authority' } }],
    ['a private authority in a secret', { customCA: { secret: 'authority', key: 'root.pem' } }],
    [
      'variables and volumes of the operator',
      {
        extraEnv: [{ name: 'TZ', value: 'Europe/Paris' }],
        ...Object.fromEntries(
          ['api', 'ingestor', 'console', 'migrate'].map((name) => [
            name,
            {
              extraEnv: [{ name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
              extraVolumes: [{ name: 'more', emptyDir: {} }],
              extraVolumeMounts: [{ name: 'more', mountPath: '/more' }],
              ...{ priorityClassName: 'high', podLabels: { team: 'estates' }, podAnnotations: { a: 'b' } },
            },
          ]),
        ),
      },
    ],
    [
      'services of other types',
      {
        api: { service: { type: 'LoadBalancer', annotations: { a: 'b' } } },
        console: { service: { type: 'NodePort' } },
      },
    ],
    [
      'more allowed connections in the network policy',
      { networkPolicy: { extraEgress: [{ to: [{ ipBlock: { cidr: '169.254.170.23/32' } }], ports: [{ port: 80 }] }] } },
    ],
    [
      'a longer drain time and pod annotations',
      { api: { drainSeconds: 45, podAnnotations: { a: 'b' } }, ingestor: { podAnnotations: { a: 'b' } } },
    ],
  ];

  it('passes helm lint', () => {
    const { status, stdout } = helm(['lint', '--strict', CHART, '--values', '-'], LEAST);
    expect([status, stdout]).toEqual([0, expect.stringContaining('0 chart(s) failed')]);
  });

  it.each(ADDED)('is valid for Kubernetes with %s', (_what, values) => {
    const objects = rendered({ ...LEAST, ...values });
    expect(objects.length).toBeGreaterThan(6);
    for (const one of objects) modelOf(one).validate();
  });

  it.each(ADDED)('limits each container and drops its privileges with %s', (_what, values) => {
    const programs = [...(isWithConsole(values) ? ['console'] : []), 'api', 'ingestor', 'migrate'];
    const workloads = rendered({ ...LEAST, ...values }).flatMap(({ kind, spec }) =>
      kind === 'Deployment' || kind === 'Job' ? [[kind, spec!.template!.spec] as const] : [],
    );
    expect(workloads.flatMap(([, pod]) => pod.containers.map(({ name }) => name)).sort()).toEqual(programs.sort());
    for (const [kind, pod] of workloads) {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      });
      for (const container of pod.containers) {
        expect(container).toMatchObject({
          resources: {
            limits: { cpu: expect.anything(), memory: expect.any(String) },
            requests: { cpu: expect.anything(), memory: expect.any(String) },
          },
          securityContext: {
            readOnlyRootFilesystem: true,
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
          },
        });
        if (kind === 'Job') continue;
        for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
          expect(container).toHaveProperty(probe);
      }
    }
  });

  it.each(ADDED)('gives the programs a valid environment with %s', (_what, values) => {
    const objects = rendered({ ...LEAST, ...values });
    const image = { NODE_ENV: 'production', HOST: '0.0.0.0', REQUIRE_HTTPS: 'true', DATA_DIR: '/data' };
    for (const [component, read] of [
      ['api', parseApiConfig],
      ['ingestor', parseIngestorConfig],
      ...(isWithConsole(values) ? [['console', parseConsoleConfig] as const] : []),
    ] as const) {
      const { containers } = podOf(objects, component);
      const environment = Object.fromEntries(
        containers[0]!.env.map(({ name, value }) =>
          // The secret contains the text of the files.
          name.endsWith('_FILE') ? [name.replace(/_FILE$/, ''), secretOf(name)] : [name, value],
        ),
      );
      expect(() => read({ ...image, ...environment })).not.toThrow();
    }
  });

  it('is valid for Kubernetes with the values of docs/kubernetes.md', () => {
    const [, values = ''] = /```yaml\n([^]*?)```/.exec(readFromRoot('docs/kubernetes.md')) ?? [];
    const objects = rendered(parse(values) as object);
    expect(objects.length).toBeGreaterThan(15);
    for (const one of objects) modelOf(one).validate();
  });

  it('uses the scripts and flags of the image', () => {
    const objects = rendered(LEAST);
    for (const component of ['api', 'ingestor', 'console', 'migrate']) {
      const [node, ...rest] = podOf(objects, component).containers[0]!.command;
      const script = rest.pop()!.replace(/^dist\//, '');
      expect([node, ...rest]).toEqual(['node', ...nodeFlagsOf(script)]);
      expect(() => readFromRoot(script.replace(/\.js$/, '.ts'))).not.toThrow();
    }
  });

  it('mounts exactly the secret files that a program reads', () => {
    const objects = rendered({
      ...LEAST,
      redis: { url: 'redis://r:6379/0' },
      secrets: { existingSecret: 's', hasOldKey: true, hasOidcSecret: true, hasMailUrl: true },
      settings: { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'p', MAIL_FROM: 'a@agence.example' },
    });
    for (const component of ['api', 'ingestor', 'console', 'migrate']) {
      const { containers, volumes } = podOf(objects, component);
      const told = containers[0]!.env.flatMap(({ name, value }) => (name.endsWith('_FILE') ? [value] : []));
      const mounted = volumes.find(({ name }) => name === 'secrets')!.secret!.items.map(({ path }) => path);
      expect(told.map((path) => path.replace('/run/secrets/passerelle/', '')).sort()).toEqual(mounted.sort());
    }
    const inPlainSight = objects.flatMap(({ spec }) => spec?.template?.spec.containers[0]?.env ?? []);
    for (const { name, value } of inPlainSight) {
      if (/_URL$/.test(name) && !name.endsWith('_BUCKET_URL')) expect(new URL(value).password).toBe('');
    }
  });

  it('scrapes each program on its port, and lets monitoring reach that port', () => {
    const objects = rendered({
      ...LEAST,
      monitoring: { enabled: true },
      networkPolicy: { opsFrom: [{ podSelector: {} }] },
    });
    const scraped = objects.filter(({ kind }) => kind === 'PodMonitor').map(({ metadata }) => metadata.name);
    expect(scraped).toEqual(['r-passerelle-api', 'r-passerelle-console', 'r-passerelle-ingestor']);
    for (const name of scraped) {
      const [monitor, policy] = ['PodMonitor', 'NetworkPolicy'].map(
        (kind) => objects.find((one) => one.kind === kind && one.metadata.name === name)!.spec as Scraped,
      );
      const [port] = podOf(objects, name.replace('r-passerelle-', '')).containers[0]!.ports;
      expect(monitor!.podMetricsEndpoints).toMatchObject([{ port: port!.name, path: '/metrics' }]);
      expect(policy!.ingress).toEqual([{ from: [{ podSelector: {} }], ports: [{ port: port!.containerPort }] }]);
    }
  });

  it('gives pods enough time to drain and to finish their work', () => {
    const pod = podOf(rendered({ ...LEAST, api: { drainSeconds: 45 } }), 'api');
    expect(pod.terminationGracePeriodSeconds).toBe(65);
    expect(pod.containers[0]!.env).toContainEqual({ name: 'DRAIN_SECONDS', value: '45' });
  });
});

function isWithConsole(values: object): boolean {
  return !('console' in values) || (values.console as { enabled?: boolean }).enabled !== false;
}

function secretOf(file: string): string {
  if (file === 'CONSOLE_SECRET_FILE') return 'c'.repeat(40);
  return file === 'MAIL_URL_FILE' ? 'smtps://user:password@mail.example' : 'x'.repeat(40);
}

interface Scraped {
  podMetricsEndpoints?: object[];
  ingress?: object[];
}

const MODELS: Record<string, new (data: never) => { validate(): void }> = {
  ...{ Deployment, HorizontalPodAutoscaler, Ingress, Job, NetworkPolicy, PodDisruptionBudget, PodMonitor },
  ...{ PrometheusRule, ScaledObject, Service, ServiceAccount },
};

function modelOf(one: KubernetesObject): { validate(): void } {
  const Model = MODELS[one.kind];
  if (Model === undefined) throw new Error(`no schema for a ${one.kind}`);
  return new Model(one as never);
}
