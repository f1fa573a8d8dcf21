import { scryptSync } from 'node:crypto';
import { Writable } from 'node:stream';
import type { AddressInfo } from 'node:net';
import type { OperatorRole } from '@passerelle/domain';
import { generateSignInToken, signInTokenDigest } from '@passerelle/domain';
import { pino } from 'pino';
import { Agent, request } from 'undici';
import { parseConfig } from '../../../apps/console/src/config';
import { createApp } from '../../../apps/console/src/create-app';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

/** The console on its own port, under the operating role. Real: HTTP, PostgreSQL, sessions. Fake: the clock. */
export interface ConsoleUnderTest {
  url: string;
  db: TestDatabase;
  /** The lines of its log. */
  lines: Record<string, unknown>[];
  /** Advances its clock. */
  wait(seconds: number): void;
  /** A browser that keeps cookies and has no scripts. */
  visitor(): Visitor;
  /** A browser whose operator has signed in with a role. Adds the operator if it does not exist. */
  signedIn(role: OperatorRole): Promise<Visitor>;
  /** Makes a sign-in link for an existing operator. @returns its token */
  addLink(name: string, seconds?: number): Promise<string>;
  close(): Promise<void>;
}

export interface Shown {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** The target of a redirect. */
  location: string | undefined;
}

export type FormFields = Record<string, string | readonly string[]>;

export interface Visitor {
  cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<Shown>;
  /** Sends a form with exactly these fields. */
  send(path: string, fields: FormFields, headers?: Record<string, string>): Promise<Shown>;
  /** Sends a form with the CSRF token of its page. */
  post(path: string, fields: FormFields, page?: string): Promise<Shown>;
}

export const SECRETS_KEY = 'a secrets key of at least 32 characters';
export const CONSOLE_SECRET = 'the secret of the console, 32 characters';
export const PASSWORD = 'correct horse battery';

/** A stored password in the product's format that takes a hundredth of the usual time to check. */
function quickHash(password: string): string {
  const [N, r, p] = [1024, 8, 1];
  const salt = Buffer.alloc(16, 1);
  const hash = scryptSync(password, salt, 32, { N, r, p });
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

export async function startConsole(environment: Record<string, string> = {}): Promise<ConsoleUnderTest> {
  const db = await createTestDatabase();
  const config = parseConfig({ DATABASE_URL: db.urlOf('operate'), SECRETS_KEY, CONSOLE_SECRET, ...environment });
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { level: 'info' },
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(JSON.parse(String(chunk)) as Record<string, unknown>);
        done();
      },
    }),
  );
  let ahead = 0;
  const app = await createApp({ config, log, clock: () => new Date(Date.now() + ahead * 1000) });
  await app.listen(0, '127.0.0.1');
  const url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  // With these limits, a request without an answer fails with an error that names the request.
  const agent = new Agent({ headersTimeout: 60_000, bodyTimeout: 60_000 });
  const hash = quickHash(PASSWORD);

  const visitor = (): Visitor => {
    const cookies = new Map<string, string>();
    const ask = async (method: 'GET' | 'POST', path: string, headers: Record<string, string>, body?: string) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await request(url + path, {
        method,
        dispatcher: agent,
        headers: { ...(cookie !== '' && { cookie }), ...headers },
        ...(body !== undefined && { body }),
      });
      for (const set of [answer.headers['set-cookie'] ?? []].flat()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        if (/max-age=0/i.test(set)) cookies.delete(name);
        else cookies.set(name, value);
      }
      const location = answer.headers['location'] as string | undefined;
      return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text(), location };
    };
    const send = (path: string, fields: FormFields, headers: Record<string, string> = {}) => {
      const form = new URLSearchParams();
      for (const [name, values] of Object.entries(fields))
        for (const value of [values].flat()) form.append(name, value);
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      return ask('POST', path, { ...type, ...headers }, form.toString());
    };
    const get = (path: string, headers: Record<string, string> = {}) => ask('GET', path, headers);
    return {
      ...{ cookies, get, send },
      async post(path, fields, page = '/sign-in') {
        return send(path, { _csrf: tokenOf((await get(page)).text), ...fields });
      },
    };
  };

  const addLink = async (name: string, seconds = 60): Promise<string> => {
    const token = generateSignInToken();
    await db.database.signIns.addLink(name, signInTokenDigest(token), seconds);
    return token;
  };

  return {
    ...{ url, db, lines, visitor, addLink },
    wait: (seconds) => (ahead += seconds),
    async signedIn(role) {
      await db.database.operators.add(role, role, hash);
      const browser = visitor();
      // Uses a link, because failed passwords are limited and checking a password takes time.
      const token = await addLink(role);
      const { status } = await browser.post('/sign-in/link', { token });
      if (status !== 303) throw new Error(`${role} could not sign in: ${status}`);
      return browser;
    },
    async close() {
      await app.close();
      await agent.close();
      await db.drop();
    },
  };
}

/** The CSRF token in a page's forms. */
export function tokenOf(page: string): string {
  const token = /name="_csrf" value="([^"]+)"/.exec(page)?.[1];
  if (token === undefined) throw new Error(`the page has no form: ${page.slice(0, 500)}`);
  return token;
}
