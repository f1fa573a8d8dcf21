import { NOTIFICATION_CONNECTIONS, POOL_SIZES } from '@passerelle/database';
import { SETTINGS } from '@passerelle/settings';
import { parse } from 'yaml';
import { expectSection, markdownTable } from '../support/generated-section';
import { readFromRoot } from './read-from-root';

const INGESTOR = POOL_SIZES.ingestor(SETTINGS.INGEST_CONCURRENCY.fallback);
/** Connections of one process of each program, with the queue in Redis. */
const EACH = {
  api: POOL_SIZES.api + NOTIFICATION_CONNECTIONS.api,
  ingestor: INGESTOR + NOTIFICATION_CONNECTIONS.ingestor,
  console: POOL_SIZES.console + NOTIFICATION_CONNECTIONS.console,
};
/** PostgreSQL's defaults. */
const MAX_CONNECTIONS = 100;
const RESERVED_FOR_SUPERUSERS = 3;

interface Scale {
  api: number;
  ingestor: number;
  console: number;
}

const sum = (scale: Scale): number =>
  scale.api * EACH.api + scale.ingestor * EACH.ingestor + scale.console * EACH.console;
const formula = ({ api, ingestor, console }: Scale): string =>
  `${api} × ${EACH.api} + ${ingestor} × ${EACH.ingestor} + ${console === 1 ? '' : `${console} × `}${EACH.console}`;

describe('connections to PostgreSQL', () => {
  it('are counted in docs/scaling.md as the code opens them', () => {
    const large = { api: 10, ingestor: 20, console: 1 };
    const fits = { api: 5, ingestor: 2, console: 1 };
    expect(sum(fits)).toBeLessThanOrEqual(MAX_CONNECTIONS - RESERVED_FOR_SUPERUSERS);
    const table = markdownTable(
      ['process', 'size of its pool (`DATABASE_POOL` changes it)', 'additional connections'],
      [
        [
          'API',
          String(POOL_SIZES.api),
          `${NOTIFICATION_CONNECTIONS.api} for notifications; with \`DATABASE_READ_URL\` a second pool of the same size, on the replica`,
        ],
        [
          'ingestor',
          `2 per \`INGEST_CONCURRENCY\`, plus ${POOL_SIZES.ingestor(0)}: ${INGESTOR} by default`,
          `${NOTIFICATION_CONNECTIONS.ingestor} for notifications; without \`REDIS_URL\` also the connections of the queues`,
        ],
        ['console', String(POOL_SIZES.console), 'none'],
        ['`ops`', `${POOL_SIZES.ops}, while a command runs`, 'none'],
        ['`migrate`', `${POOL_SIZES.migrate}, while it runs`, 'none'],
      ],
    );
    const text = `${table}

Pools grow on demand, so these numbers are maximums. With Redis, ten APIs, twenty ingestors and a console need at most
${formula(large)} = ${sum(large)} connections. A request that finds no free connection waits for one. PostgreSQL allows
${MAX_CONNECTIONS} connections by default (\`max_connections\`), and reserves three of them for superusers. Up to five APIs and two
ingestors fit without a pooler.`;
    expectSection('docs/scaling.md', 'connections', text);
  });

  it('are counted in docs/kubernetes.md for the replicas of the chart', () => {
    const values = parse(readFromRoot('deploy/helm/passerelle/values.yaml')) as {
      api: { replicas: number; autoscaling: { maxReplicas: number } };
      ingestor: { replicas: number; scaling: { maxReplicas: number } };
      console: { replicas: number };
    };
    const console = values.console.replicas;
    const rows = [
      ["the chart's defaults", { api: values.api.replicas, ingestor: values.ingestor.replicas, console }],
      [
        'the most replicas of `api.autoscaling` and `ingestor.scaling`',
        { api: values.api.autoscaling.maxReplicas, ingestor: values.ingestor.scaling.maxReplicas, console },
      ],
    ] as const;
    // A rolling upgrade starts one more pod of each, after the migration has ended.
    const surge = EACH.api + EACH.ingestor + EACH.console;
    const [[, defaults]] = rows;
    expect(sum(defaults) + surge).toBeLessThanOrEqual(MAX_CONNECTIONS - RESERVED_FOR_SUPERUSERS);
    const table = markdownTable(
      ['replicas', 'API, ingestors, console', 'connections', 'during an upgrade'],
      rows.map(([name, scale]) => [name, formula(scale), String(sum(scale)), String(sum(scale) + surge)]),
    );
    expectSection('docs/kubernetes.md', 'connections', table);
  });

  it('fit into the PostgreSQL of docker-compose.yml with as many ingestors as there are ports', () => {
    const { services } = parse(readFromRoot('docker-compose.yml'), { merge: true }) as {
      services: { postgres: { command: string[] }; ingestor: { ports: string[] } };
    };
    const [, first, last] = /:(\d+)-(\d+):/.exec(services.ingestor.ports[0]!)!;
    const ingestor = Number(last) - Number(first) + 1;
    // A migration, the backup, and two commands of operators at the same time.
    const needed = sum({ api: 2, ingestor, console: 1 }) + POOL_SIZES.migrate + 3 * POOL_SIZES.ops;
    const [, limit] = /^max_connections=\$\{POSTGRES_MAX_CONNECTIONS:-(\d+)\}$/.exec(
      services.postgres.command.at(-1)!,
    )!;
    expect(ingestor).toBe(10);
    expect(needed).toBeLessThanOrEqual(Number(limit) - RESERVED_FOR_SUPERUSERS);
    // The comment in docker-compose.yml promises ten ingestors, and no more.
    expect(needed + 2 * EACH.ingestor).toBeGreaterThan(Number(limit) - RESERVED_FOR_SUPERUSERS);
  });
});
