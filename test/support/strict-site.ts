import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/** The time in which a delivery may still arrive after the removal of its endpoint. */
const IN_FLIGHT_MS = 2_000;

/** A site whose endpoints accept every delivery and count faulty ones. */
export interface StrictSite {
  host: string;
  places: Map<string, { secret: string; client: string; removedAtMs: number }>;
  arrivals: { path: string; id: string }[];
  unsigned: number;
  foreign: number;
  close(): Promise<void>;
}

export async function startStrictSite(): Promise<StrictSite> {
  const server = createServer((request, response) => void take(request, response));
  const site: StrictSite = {
    ...{ host: '', places: new Map(), arrivals: [], unsigned: 0, foreign: 0 },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Ignore a delivery whose sender was killed before it had sent the whole body.
    const body = await text(request).catch(() => null);
    if (body === null) return;
    const { url: path = '', headers } = request;
    const place = site.places.get(path);
    const { data } = JSON.parse(body) as { data: { client: string } };
    const isRight = place?.client === data.client && Date.now() < place.removedAtMs + IN_FLIGHT_MS;
    if (!isRight) site.foreign += 1;
    try {
      new Webhook(place?.secret ?? '').verify(body, headers as Record<string, string>);
    } catch {
      site.unsigned += 1;
    }
    site.arrivals.push({ path, id: String(headers['webhook-id']) });
    response.writeHead(204).end();
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return site;
}
