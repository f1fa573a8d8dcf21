import 'reflect-metadata';
import { hkdfSync } from 'node:crypto';
import csrfProtection from '@fastify/csrf-protection';
import secureSession from '@fastify/secure-session';
import { loadRegistry } from '@passerelle/connectors/operators';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { parseFileForm } from './access/file-form';
import { addHeaders } from './access/headers';
import { LONGEST_SESSION_SECONDS } from './access/session';
import { ConsoleModule, type ConsoleDependencies } from './console.module';
import { ConsoleMetrics } from './metrics/console-metrics';

/** Room for the names of about 20,000 selected gateways. */
const BODY_LIMIT_BYTES = 256 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
/** An identifier in a feed may have any length. */
const LONGEST_PARAMETER = 8 * 1024;

/** The services that the program passes in. Only tests pass in a clock. */
type AppOptions = Omit<ConsoleDependencies, 'clock' | 'declared'> & Partial<Pick<ConsoleDependencies, 'clock'>>;

/** The console, ready to listen. @throws DatabaseUnreachable, DatabaseNotMigrated, WrongRole */
export async function createApp({
  config,
  log,
  clock = () => new Date(),
}: AppOptions): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    trustProxy: config.trustProxy,
  });
  const declared = (await loadRegistry()).list();
  const app = await NestFactory.create<NestFastifyApplication>(
    ConsoleModule.forRoot({ config, log, clock, declared }),
    adapter,
    {
      logger: false,
      abortOnError: false,
    },
  );
  const isSecure = config.url.startsWith('https:');
  addHeaders(adapter.getInstance(), { isSecure });
  await app.register(secureSession, {
    // With TLS, the prefix binds the cookie to this host.
    cookieName: isSecure ? '__Host-passerelle' : 'passerelle',
    key: sessionKey(config.consoleSecret),
    expiry: LONGEST_SESSION_SECONDS,
    cookie: { path: '/', httpOnly: true, secure: isSecure, sameSite: 'lax' },
  });
  await app.register(csrfProtection, { sessionPlugin: '@fastify/secure-session' });
  const server = adapter.getInstance();
  server.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, parseFileForm);
  app.get(ConsoleMetrics).watch(server);
  server.addHook('preHandler', (request, reply, done) => {
    if (request.method === 'GET' || request.method === 'HEAD') done();
    else server.csrfProtection(request, reply, done);
  });
  return app;
}

function sessionKey(consoleSecret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', consoleSecret, '', 'passerelle console sessions', 32));
}
