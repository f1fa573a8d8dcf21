import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type IngestorUnderTest, startIngestor, until } from './ingestor-under-test';

// Real: the queue, the runs and PostgreSQL. Fake: a CRM that answers, and one that takes its time.
describe('the slots of an ingestor', () => {
  const waiting: ServerResponse[] = [];
  const slow = createServer((_request, response) => {
    waiting.push(response);
  });
  let ingestor: IngestorUnderTest;

  beforeAll(async () => {
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(slow.address() as AddressInfo).port}`;
    ingestor = await startIngestor({
      ingestConcurrency: 3,
      allowPrivateSources: new Set([host]),
    });
  });
  afterAll(async () => {
    slow.closeAllConnections();
    slow.close();
    await ingestor.close();
  });

  const isOver = async (run: number): Promise<boolean> =>
    typeof (await ingestor.database.runHistory.find(run))?.ended_at === 'string';

  it('are not all taken by one host that is slow, and it has its turns all the same', async () => {
    const { port } = slow.address() as AddressInfo;
    const { runRequests } = ingestor.database;
    const ask = (gatewayId: number): Promise<number> => runRequests.request({ gatewayId, trigger: 'ops' });
    const gateways: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const sourceUrl = `http://127.0.0.1:${port}/${n}`;
      gateways.push(await ingestor.addGateway({ client: `slow-${n}`, sourceUrl }));
    }
    const runs = await Promise.all(gateways.map(ask));
    await until(() => Promise.resolve(waiting.length === 2));

    const healthy = await ask(
      await ingestor.addGateway({ crm: 'other', client: 'healthy', sourceUrl: 'http://127.0.0.1:1/' }),
    );
    await until(() => isOver(healthy));
    expect(waiting).toHaveLength(2);

    let answered = 0;
    await until(async () => {
      for (const response of waiting.slice(answered)) response.writeHead(404).end();
      answered = waiting.length;
      return (await Promise.all(runs.map(isOver))).every((over) => over);
    }, 30_000);
    expect(waiting).toHaveLength(5);
  });
});
