import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createSimulator, type Simulator } from '../../../tools/simulator/simulator';
import { type Product, startProduct } from '../../support/product';
import { eventually } from '../../support/waiting';

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

interface SentSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Attribute[];
}

interface Export {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: SentSpan[] }[] }[];
}

// Real: both processes as built, OpenTelemetry's SDK, PostgreSQL. Fake: the CRM, and the receiver of the spans.
describe('traces', () => {
  let receiver: Server;
  let simulator: Simulator;
  let product: Product;
  const bodies: string[] = [];

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      void text(request).then((body) => {
        if (request.url === '/v1/traces') bodies.push(body);
        response.end('{}');
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    simulator = await createSimulator({ seed: 31, counts: { kyero: 20 } });
    product = await startProduct({ simulator, settings: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } });
  });
  afterAll(async () => {
    await product.stop();
    await simulator.close();
    receiver.closeAllConnections();
    receiver.close();
  });

  const spansSent = (): (SentSpan & { service: unknown })[] =>
    bodies
      .flatMap((body) => (JSON.parse(body) as Export).resourceSpans)
      .flatMap(({ resource, scopeSpans }) =>
        scopeSpans.flatMap(({ spans }) =>
          spans.map((span) => ({ service: valuesOf(resource.attributes)['service.name'], ...span })),
        ),
      );

  it('connect the first read with the publication through both processes, and contain no secret', async () => {
    const { access } = await product.addGateway('kyero');
    const path = `/v1/properties?crm=kyero&client=${access.client}&note=a-secret-of-the-query`;
    const headers = { Key: access.key, 'X-Request-Id': 'the-first-read' };
    await (await fetch(product.apiUrl + path, { headers })).arrayBuffer();

    const [read, asked, run] = await Promise.all(
      ['GET /v1/properties', 'ask for a run', 'run'].map(async (name) =>
        eventually(() => Promise.resolve(spansSent().find((span) => span.name === name))),
      ),
    );
    expect([read, asked, run].map((span) => span!.service)).toEqual([
      'passerelle-api',
      'passerelle-api',
      'passerelle-ingestor',
    ]);
    expect(new Set([read, asked, run].map((span) => span!.traceId)).size).toBe(1);
    const names = { 'passerelle.crm': 'kyero', 'passerelle.client': access.client };
    expect(valuesOf(read!.attributes)).toMatchObject({
      ...{ 'http.request.method': 'GET', 'http.route': '/v1/properties' },
      ...{ ...names, 'passerelle.request_id': 'the-first-read' },
    });
    expect(valuesOf(run!.attributes)).toMatchObject({
      ...{ ...names, 'passerelle.request_id': 'the-first-read', 'passerelle.state': 'published' },
      'passerelle.run': valuesOf(asked!.attributes)['passerelle.run'],
    });
    const steps = spansSent().filter(({ parentSpanId }) => parentSpanId === run!.spanId);
    expect(steps.map(({ name }) => name)).toEqual(['fetch and read', 'judge', 'publish']);
    for (const secret of [access.key, 'a-secret-of-the-query', simulator.host])
      expect(bodies.join()).not.toContain(secret);
  });

  it('include pages from memory as well as pages from the database', async () => {
    const { access } = await product.addGateway('kyero', 'second');
    await product.ingest('kyero', 'second');
    const path = `/v1/properties?crm=kyero&client=${access.client}`;
    const requestIds = ['from-the-database', 'from-memory', 'from-memory-again'];
    for (const requestId of requestIds) {
      const headers = { Key: access.key, 'X-Request-Id': requestId };
      await (await fetch(product.apiUrl + path, { headers })).arrayBuffer();
    }
    for (const requestId of requestIds) {
      const span = await eventually(() =>
        Promise.resolve(
          spansSent().find(({ attributes }) => valuesOf(attributes)['passerelle.request_id'] === requestId),
        ),
      );
      expect(valuesOf(span.attributes)).toMatchObject({
        'http.route': '/v1/properties',
        'http.response.status_code': 200,
        'passerelle.client': 'second',
      });
    }
  });
});

function valuesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
