import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { apimoAgencies, apimoProperties } from './feeds/apimo';
import { writeKyeroXml } from './feeds/kyero';
import { writePolirisZip } from './feeds/poliris';
import { type Answer, type Misbehaviour, sendAnswer, sendFaulty } from './misbehaviour';
import { createPortfolio, type Portfolio } from './portfolio';
import { SIMULATED_CRMS, type SimulatedCrm } from './property';
import { AGENCIES } from './words';

export interface SimulatorOptions {
  /** 0 picks a free port. */
  port?: number;
  /** The same seed gives the same bytes. */
  seed?: number;
  /** How many properties each agency has at first. */
  counts?: Partial<Record<SimulatedCrm, number>>;
}

/** A request that came in. */
export interface SeenRequest {
  crm: SimulatedCrm | null;
  method: string;
  /** With its query. */
  path: string;
  status: number;
}

/** The CRMs of three invented agencies, on loopback. */
export interface Simulator {
  /** `host:port`, for ALLOW_PRIVATE_SOURCES. */
  host: string;
  /** What a gateway's source URL must be, by connector. */
  sources: Readonly<Record<SimulatedCrm, string>>;
  portfolios: Readonly<Record<SimulatedCrm, Portfolio>>;
  /** The latest requests, oldest first. */
  requests: readonly SeenRequest[];
  /** From now on, this CRM answers with a fault, or only where `applies` says so. */
  misbehave(crm: SimulatedCrm, fault: Misbehaviour, applies?: (path: string) => boolean): void;
  /** Ends all faults and forgets the requests. */
  behave(): void;
  close(): Promise<void>;
}

/** Public by intention: they open nothing but the simulator. */
export const APIMO_CREDENTIALS = { provider: 'demo-provider', token: 'demo-token-not-a-secret' } as const;

const DEMO_SEED = 20_251;
const DEMO_COUNTS: Readonly<Record<SimulatedCrm, number>> = { apimo: 240, kyero: 220, poliris: 260 };
/** The real API refuses more. */
const APIMO_MAX_LIMIT = 1_000;
const REMEMBERED_REQUESTS = 1_000;

interface Fault {
  fault: Misbehaviour;
  applies: (path: string) => boolean;
}

/** Starts the simulator. @throws when the port is taken. */
export async function createSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const portfolios = createPortfolios(options.seed ?? DEMO_SEED, { ...DEMO_COUNTS, ...options.counts });
  const faults = new Map<SimulatedCrm, Fault>();
  const requests: SeenRequest[] = [];
  const answerDocument = createDocuments(portfolios);

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
    const answer =
      url.pathname === '/health'
        ? json(200, { status: 'ok' })
        : crm === 'apimo'
          ? answerApimo(request, url, portfolios.apimo, fault?.kind === 'miscounted' ? fault.difference : 0)
          : answerDocument(request, url.pathname);
    if (fault === undefined) sendAnswer(response, answer);
    else await sendFaulty(response, answer, fault);
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    host,
    sources: simulatorSources(host),
    portfolios,
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

/** The source URLs of a simulator at `host:port`. */
export function simulatorSources(host: string): Record<SimulatedCrm, string> {
  return {
    apimo: `http://${host}/apimo`,
    kyero: `http://${host}/kyero/demo.xml`,
    poliris: `http://${host}/poliris/immo_demo.zip`,
  };
}

function createPortfolios(seed: number, counts: Record<SimulatedCrm, number>): Record<SimulatedCrm, Portfolio> {
  return {
    apimo: createPortfolio('apimo', seed, counts.apimo),
    kyero: createPortfolio('kyero', seed, counts.kyero),
    poliris: createPortfolio('poliris', seed, counts.poliris),
  };
}

interface Document {
  version: number;
  answer: Answer;
}

/** The feeds that are one document: written once per version, with the headers that let a client ask for news only. */
function createDocuments(
  portfolios: Record<SimulatedCrm, Portfolio>,
): (request: IncomingMessage, pathname: string) => Answer {
  const written = new Map<string, Document>();
  const documents: Record<string, { portfolio: Portfolio; contentType: string; write: () => Buffer }> = {
    '/kyero/demo.xml': {
      portfolio: portfolios.kyero,
      contentType: 'application/xml',
      write: () => writeKyeroXml(portfolios.kyero.properties),
    },
    '/poliris/immo_demo.zip': {
      portfolio: portfolios.poliris,
      contentType: 'application/zip',
      write: () => writePolirisZip(portfolios.poliris.properties),
    },
  };
  return (request, pathname) => {
    const document = documents[pathname];
    if (document === undefined) return json(404, { message: 'Resource not found' });
    const { version } = document.portfolio;
    let current = written.get(pathname);
    if (current?.version !== version) {
      current = { version, answer: documentAnswer(document.write(), document.contentType, document.portfolio) };
      written.set(pathname, current);
    }
    return isKnownTo(request, current.answer)
      ? { ...current.answer, status: 304, body: Buffer.alloc(0) }
      : current.answer;
  };
}

function documentAnswer(body: Buffer, contentType: string, { properties }: Portfolio): Answer {
  const newest = properties.reduce(
    (latest, { modifiedAt }) => (modifiedAt > latest ? modifiedAt : latest),
    '2024-01-01 00:00:00',
  );
  return {
    status: 200,
    headers: {
      'content-type': contentType,
      etag: `"${createHash('sha256').update(body).digest('hex').slice(0, 24)}"`,
      'last-modified': new Date(`${newest.replace(' ', 'T')}Z`).toUTCString(),
    },
    body,
  };
}

/** As HTTP wants it: the date counts only where there is no tag. */
function isKnownTo({ headers }: IncomingMessage, answer: Answer): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined)
    return tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === answer.headers['etag']);
  const since = headers['if-modified-since'];
  return since !== undefined && Date.parse(since) >= Date.parse(answer.headers['last-modified'] ?? '');
}

function answerApimo(request: IncomingMessage, url: URL, portfolio: Portfolio, miscountedBy: number): Answer {
  const { provider, token } = APIMO_CREDENTIALS;
  const expected = `Basic ${Buffer.from(`${provider}:${token}`).toString('base64')}`;
  if (request.headers.authorization !== expected) return json(401, { message: 'Invalid credentials' });
  if (url.pathname === '/apimo/agencies') return json(200, apimoAgencies());
  const agency = /^\/apimo\/agencies\/(\d+)\/properties$/.exec(url.pathname)?.[1];
  if (agency === undefined) return json(404, { message: 'Resource not found' });
  if (Number(agency) !== AGENCIES.apimo.id) return json(403, { message: 'Access denied to this agency' });
  const limit = Number(url.searchParams.get('limit') ?? APIMO_MAX_LIMIT);
  const offset = Number(url.searchParams.get('offset') ?? 0);
  if (!(limit >= 1 && limit <= APIMO_MAX_LIMIT && offset >= 0)) {
    return json(422, { message: 'Validation failed', errors: { limit: [`max ${APIMO_MAX_LIMIT}`] } });
  }
  const { properties } = portfolio;
  return json(200, apimoProperties(properties, limit, offset, properties.length + miscountedBy));
}

function json(status: number, value: object): Answer {
  return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(value)) };
}
