import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from './answers';
import { answerApimo } from './apimo-api';
import { createDocuments } from './documents';
import { hasPhotoFiles } from './feeds/poliris';
import { type Answer, type Misbehaviour, sendAnswer, sendFaulty } from './misbehaviour';
import { createGallery } from './photos/gallery';
import { photoUrl } from './photos/photo';
import { createPortfolio, type Portfolio } from './portfolio';
import { type Property, SIMULATED_CRMS, type SimulatedCrm } from './property';
import { simulatorSources } from './sources';

export interface SimulatorOptions {
  /** 0 picks a free port. */
  port?: number;
  /** With the same seed, the feeds have the same bytes. */
  seed?: number;
  counts?: Partial<Record<SimulatedCrm, number>>;
}

/** A received request. */
export interface SeenRequest {
  crm: SimulatedCrm | null;
  method: string;
  /** Including its query. */
  path: string;
  status: number;
}

export interface Simulator {
  /** `host:port`, for ALLOW_PRIVATE_SOURCES. */
  host: string;
  sources: Readonly<Record<SimulatedCrm, string>>;
  portfolios: Readonly<Record<SimulatedCrm, Portfolio>>;
  /** The addresses of a property's photos, in order; photos that are files in the feed have none. */
  photoUrls(crm: SimulatedCrm, property: Property): string[];
  /** The latest requests, oldest first. */
  requests: readonly SeenRequest[];
  /** From now on, this CRM answers with a fault, for all paths or those for which `applies` returns true. */
  misbehave(crm: SimulatedCrm, fault: Misbehaviour, applies?: (path: string) => boolean): void;
  /** Ends all faults and deletes the recorded requests. */
  behave(): void;
  close(): Promise<void>;
}

const DEMO_SEED = 20_251;
const DEMO_COUNTS: Readonly<Record<SimulatedCrm, number>> = { apimo: 240, kyero: 220, poliris: 260 };
const REMEMBERED_REQUESTS = 1_000;

interface Fault {
  fault: Misbehaviour;
  applies: (path: string) => boolean;
}

/** Starts the simulator. @throws Error when the port is taken. */
export async function createSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const seed = options.seed ?? DEMO_SEED;
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const portfolios = createPortfolios(seed, { ...DEMO_COUNTS, ...options.counts });
  const faults = new Map<SimulatedCrm, Fault>();
  const requests: SeenRequest[] = [];
  const gallery = createGallery(seed);
  const photoUrls = (crm: SimulatedCrm, property: Property): string[] =>
    crm === 'poliris' && hasPhotoFiles(property)
      ? []
      : property.photos.map((photo) => photoUrl(host, crm, property.id, photo));
  const answerFeed = createDocuments({ portfolios, photoUrls, gallery, host });

  const answerFor = async (
    request: IncomingMessage,
    url: URL,
    crm: SimulatedCrm | null,
    miscountedBy: number,
  ): Promise<Answer> => {
    if (url.pathname === '/health') return json(200, { status: 'ok' });
    if (crm !== null && url.pathname.startsWith(`/${crm}/photos/`)) {
      return gallery.answer(request, url.pathname, portfolios[crm].properties);
    }
    if (crm !== 'apimo') return answerFeed(request, url.pathname);
    const { properties } = portfolios.apimo;
    return answerApimo(request, url, {
      properties,
      miscountedBy,
      photoUrls: (property) => photoUrls('apimo', property),
    });
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://simulator');
    const path = url.pathname + url.search;
    const crm = SIMULATED_CRMS.find((code) => url.pathname.startsWith(`/${code}/`)) ?? null;
    const faulty = crm === null ? undefined : faults.get(crm);
    const fault = faulty?.applies(path) === true ? faulty.fault : undefined;
    response.once('close', () => {
      requests.push({ crm, method: request.method ?? 'GET', path, status: response.statusCode });
      if (requests.length > REMEMBERED_REQUESTS) requests.shift();
    });
    const answer = await answerFor(request, url, crm, fault?.kind === 'miscounted' ? fault.difference : 0);
    if (fault === undefined) sendAnswer(response, answer);
    else await sendFaulty(response, answer, fault);
  };
  server.on('request', (request, response) => {
    handle(request, response).catch(() => response.destroy());
  });

  return {
    host,
    sources: simulatorSources(host),
    portfolios,
    photoUrls,
    requests,
    misbehave(crm, fault, applies = () => true) {
      faults.set(crm, { fault, applies });
    },
    behave() {
      faults.clear();
      requests.length = 0;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function createPortfolios(seed: number, counts: Record<SimulatedCrm, number>): Record<SimulatedCrm, Portfolio> {
  return {
    apimo: createPortfolio('apimo', seed, counts.apimo),
    kyero: createPortfolio('kyero', seed, counts.kyero),
    poliris: createPortfolio('poliris', seed, counts.poliris),
  };
}
