import { describeWith } from '../support/command-on-path';
import { CHART, helm, LEAST, podOf, rendered, templateOf } from '../support/helm-chart';

describeWith('helm', 'values of the Helm chart', () => {
  /** Additions of an operator to a program. */
  const OWN = {
    extraEnv: [{ name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
    extraVolumes: [{ name: 'more', emptyDir: {} }],
    extraVolumeMounts: [{ name: 'more', mountPath: '/more' }],
    ...{ priorityClassName: 'high', podLabels: { team: 'estates' }, podAnnotations: { a: 'b' } },
  };
  it('adds variables, volumes, labels and the priority of the values to every pod', () => {
    const objects = rendered({
      ...{ ...LEAST, api: OWN, ingestor: OWN, console: OWN, migrate: OWN },
      ...{ extraEnv: [{ name: 'TZ', value: 'Europe/Paris' }], customCA: { secret: 'authority', key: 'root.pem' } },
    });
    for (const component of ['api', 'ingestor', 'console', 'migrate']) {
      const { metadata, spec } = templateOf(objects, component);
      expect(metadata).toMatchObject({
        labels: { team: 'estates', 'app.kubernetes.io/component': component },
        annotations: { a: 'b' },
      });
      expect(spec).toMatchObject({
        priorityClassName: 'high',
        volumes: expect.arrayContaining([
          expect.objectContaining({ name: 'more' }),
          expect.objectContaining({ name: 'custom-ca', secret: expect.objectContaining({ secretName: 'authority' }) }),
        ]),
        containers: [
          expect.objectContaining({
            env: expect.arrayContaining([
              { name: 'TZ', value: 'Europe/Paris' },
              expect.objectContaining({ name: 'NODE' }),
              { name: 'NODE_EXTRA_CA_CERTS', value: '/etc/passerelle/ca/root.pem' },
            ]),
            volumeMounts: expect.arrayContaining([
              { name: 'more', mountPath: '/more' },
              { name: 'custom-ca', mountPath: '/etc/passerelle/ca', readOnly: true },
            ]),
          }),
        ],
      });
    }
  });

  it.each(['api', 'ingestor', 'console', 'migrate'])(
    'refuses extraEnv for each variable that it sets in %s',
    (component) => {
      const secrets = { existingSecret: 's', hasOldKey: true, hasOidcSecret: true, hasMailUrl: true };
      const settings = { OIDC_ISSUER: 'https://id.example', MAIL_FROM: 'a@agence.example' };
      const values = { ...LEAST, redis: { url: 'redis://r' }, media: { bucketUrl: 's3://p' }, secrets, settings };
      const own = podOf(rendered(values), component).containers[0]!.env.map(({ name }) => name);
      expect(own).toContain('DATABASE_URL');
      const refused = own.filter((name) => {
        const { status, stderr } = helm(['template', 'r', CHART, '--values', '-'], {
          ...values,
          extraEnv: [{ name, value: '' }],
        });
        return status === 1 && stderr.includes(`extraEnv has ${name}`);
      });
      expect(refused).toEqual(own);
    },
  );

  it('lets the pods connect to the ports of the values', () => {
    const objects = rendered({
      ...LEAST,
      ...{ database: { host: 'db', port: 6432 }, redis: { url: 'redis://r:6390/0' } },
      media: { bucketUrl: 's3://photos?region=eu-west-3&endpoint=http%3A%2F%2Fminio.internal%3A9000' },
      secrets: { existingSecret: 'passerelle', hasOidcSecret: true },
      settings: {
        ...{ OIDC_ISSUER: 'https://id.example:8443/realms/a', OIDC_CLIENT_ID: 'passerelle' },
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      },
    });
    const portsOf = (component: string): (number | 'any')[] => {
      const policy = objects.find(
        ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === `r-passerelle-${component}`,
      );
      const { egress } = policy!.spec as unknown as { egress: { ports?: { port: number }[] }[] };
      return egress.flatMap(({ ports }): (number | 'any')[] => ports?.map(({ port }) => port) ?? ['any']);
    };
    expect(portsOf('api')).toEqual([53, 53, 6432, 6390, 443, 9000, 4318]);
    expect(portsOf('console')).toEqual([53, 53, 6432, 443, 8443]);
    expect(portsOf('ingestor')).toEqual([53, 53, 6432, 6390, 'any']);
    expect(portsOf('migrate')).toEqual([53, 53, 6432]);
  });

  it.each([
    ['http://collector/v1', 80],
    ['https://collector', 443],
  ])('lets the API connect to the usual port of %s', (OTEL_EXPORTER_OTLP_ENDPOINT, port) => {
    const objects = rendered({ ...LEAST, settings: { OTEL_EXPORTER_OTLP_ENDPOINT } });
    const policy = objects.find(
      ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === 'r-passerelle-api',
    );
    expect(JSON.stringify(policy)).toContain(`{"port":${port}}`);
  });

  it('scales ingestors by the waiting time in the pods of its own release', () => {
    const objects = rendered({ ...LEAST, ingestor: { scaling: { by: 'keda', prometheusUrl: 'http://p:9090' } } });
    const { triggers } = objects.find(({ kind }) => kind === 'ScaledObject')!.spec as unknown as {
      triggers: { metadata: { query: string } }[];
    };
    const [, namespace, pod] = /\{namespace="(.*)",pod=~"(.*)"\}/.exec(triggers[0]!.metadata.query)!;
    expect(namespace).toBe('default');
    const isMatch = (name: string): boolean => new RegExp(`^(?:${pod})$`).test(name);
    expect(isMatch('r-passerelle-ingestor-7d9c5b6f4-x2x9k')).toBe(true);
    expect(isMatch('other-passerelle-ingestor-7d9c5b6f4-x2x9k')).toBe(false);
  });

  it('says after the installation which connections the network policy blocks', () => {
    const notes = (values: object): string => {
      const { stdout } = helm(['install', 'r', CHART, '--dry-run=client', '--values', '-'], { ...LEAST, ...values });
      return stdout.slice(stdout.indexOf('NOTES:'));
    };
    const monitored = { monitoring: { enabled: true } };
    expect(notes(monitored)).toContain('Prometheus may not read the metrics');
    expect(notes(monitored)).toContain('No pod of the cluster may reach the API');
    expect(notes({ networkPolicy: { enabled: false }, ...monitored })).not.toMatch(/may not|may reach/);
    const from = [{ podSelector: {} }];
    const allowed = notes({ networkPolicy: { apiFrom: from, opsFrom: from }, ...monitored });
    expect(allowed).toContain('and the ingestor to any port.');
    expect(allowed).not.toMatch(/may not|may reach/);
  });

  it.each([
    ['the base URL is missing', 'baseUrl is missing', { baseUrl: '' }],
    ['the host of the database is missing', 'database.host is missing', { database: {} }],
    ['the secret is missing', 'secrets.existingSecret is missing', { secrets: {} }],
    ['the address of the proxy is missing', 'trustProxy is missing', { trustProxy: [] }],
    ['the photo bucket is missing', 'media.bucketUrl is missing', { media: {} }],
    ['KEDA has no address of Prometheus', 'prometheusUrl is missing', { ingestor: { scaling: { by: 'keda' } } }],
    ['the way of scaling is unknown', 'must be none, hpa or keda', { ingestor: { scaling: { by: 'luck' } } }],
    [
      'the ingress has no TLS secret',
      'ingress.tlsSecret is missing',
      { ingress: { enabled: true, host: 'l.example' } },
    ],
    [
      'the ingress of the console has no address',
      'console.url is missing',
      { console: { ingress: { enabled: true, tlsSecret: 't' } } },
    ],
    [
      'the address of the console does not begin with https',
      'console.url must begin with https',
      { console: { url: 'http://c.example', ingress: { enabled: true, tlsSecret: 't' } } },
    ],
    ['a setting is unknown', 'RATE_LIMIT', { settings: { RATE_LIMIT: 1 } }],
    ['a value is unknown', 'replica', { api: { replica: 3 } }],
    ['a number of replicas is a text', 'got string, want integer', { api: { replicas: 'two' } }],
    ['a port is impossible', 'database/port', { database: { host: 'db', port: 0 } }],
    ['the type of a service is unknown', 'service/type', { api: { service: { type: 'External' } } }],
    ['the pull policy is unknown', 'image/pullPolicy', { image: { pullPolicy: 'Sometimes' } }],
    ['a variable has no name', 'extraEnv/0', { extraEnv: [{ value: 'x' }] }],
    ['the public address is not https', 'baseUrl must begin with https', { baseUrl: 'http://l.example' }],
    [
      'the authority is named twice',
      'customCA has configMap and secret',
      { customCA: { configMap: 'a', secret: 'b' } },
    ],
    ['a bucket is set and excluded', 'media has none and bucketUrl', { media: { none: true, bucketUrl: 's3://p' } }],
    [
      'the bucket of the credentials is missing',
      'media.credentialsSecret has no effect',
      { media: { none: true, credentialsSecret: 's' } },
    ],
    ['the address of Redis has a password', 'redis.url has a password', { redis: { url: 'redis://:p@r' } }],
    [
      'the mail server has no sender',
      'settings.MAIL_FROM is missing',
      { secrets: { existingSecret: 's', hasMailUrl: true } },
    ],
    ['the sender has no mail server', 'settings.MAIL_FROM has no effect', { settings: { MAIL_FROM: 'a@b.example' } }],
    ['the provider has no secret', 'need each other', { settings: { OIDC_ISSUER: 'https://id.example' } }],
    [
      'the ingress leads to no console',
      'console.ingress is enabled, but the console is not',
      { console: { enabled: false, ingress: { enabled: true } } },
    ],
    [
      'the scaling has no range',
      'ingestor.scaling.minReplicas is larger than maxReplicas',
      { ingestor: { scaling: { minReplicas: 9 } } },
    ],
    ['a setting is a variable', 'set it in settings.LOG_LEVEL', { extraEnv: [{ name: 'LOG_LEVEL', value: 'warn' }] }],
    [
      'a pod label replaces that of the chart',
      'api.podLabels has app.kubernetes.io/name',
      { api: { podLabels: { 'app.kubernetes.io/name': 'x' } } },
    ],
  ])('fails before it starts anything when %s', (_what, sentence, values) => {
    const { status, stderr } = helm(['template', 'r', CHART, '--values', '-'], { ...LEAST, ...values });
    expect([status, stderr]).toEqual([1, expect.stringContaining(sentence)]);
  });
});
