import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { answersIn, type RawAnswer } from '../raw-http';

/** One request of a row. */
export interface HostileRequest {
  method: string;
  /** The bytes of the request. */
  text: string;
  /** The request's `X-Request-Id`; null if the API would return a different id. */
  id: string | null;
  /**
   * The request without the parts that identify the sender. Requests with equal values must get equal answers. Null if
   * the answer may change over time.
   */
  question: string | null;
  /** The number of the gateway whose key the request has; null for a wrong or missing key. */
  gateway: number | null;
  /** The statuses that are allowed for the answer. */
  may: readonly number[];
  /** The page number, if the request belongs to a pagination session. */
  page?: number;
}

/** The requests on one connection. */
export interface Exchange {
  requests: readonly HostileRequest[];
  /** Sends each request on a separate connection, after the answer to the previous one. */
  isPaced: boolean;
  /** Invalid HTTP that the client sends after the requests. */
  garbage: string;
  /** The offsets at which the bytes are split into packets. */
  cuts: readonly number[];
  /** The number of bytes after which the client disconnects; null: never. */
  leavesAfter: number | null;
}

/** The answers and the duration of an exchange. */
export interface Outcome {
  answers: RawAnswer[];
  ms: number;
}

const PATIENCE_MS = 30_000;

/** @throws Error if the server does not end the connection in time, or sends an invalid answer */
export async function carryOut(port: number, exchange: Exchange): Promise<Outcome> {
  const startMs = performance.now();
  if (!exchange.isPaced) return { answers: await answersTo(port, exchange), ms: performance.now() - startMs };
  const answers: RawAnswer[] = [];
  for (const request of exchange.requests)
    answers.push(...(await answersTo(port, { ...exchange, requests: [request] })));
  return { answers, ms: performance.now() - startMs };
}

async function answersTo(port: number, { requests, garbage, cuts, leavesAfter }: Exchange): Promise<RawAnswer[]> {
  const text = requests.map((request) => request.text).join('') + garbage;
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // The server may reset a connection with unread bytes. Answers before the reset still count.
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await Promise.race([once(socket, 'connect'), closed]);
  const bounds = [0, ...cuts, text.length];
  for (const [n, from] of bounds.slice(0, -1).entries()) {
    const to = bounds[n + 1] ?? text.length;
    if (leavesAfter !== null && to >= leavesAfter) {
      socket.write(text.slice(from, leavesAfter), 'latin1');
      await sleep(0);
      socket.resetAndDestroy();
      return [];
    }
    socket.write(text.slice(from, to), 'latin1');
    if (n < cuts.length) await sleep(0);
  }
  const isEnded = await Promise.race([closed.then(() => true), sleep(PATIENCE_MS, false, { ref: false })]);
  socket.destroy();
  if (!isEnded) throw new Error('the connection was not ended');
  const methods = requests.map(({ method }) => method);
  const got = Buffer.concat(chunks).toString('latin1');
  try {
    return answersIn(got, methods);
  } catch (error) {
    const folder = mkdtempSync(join(tmpdir(), 'passerelle-hostile-'));
    writeFileSync(join(folder, 'sent'), text, 'latin1');
    writeFileSync(join(folder, 'got'), got, 'latin1');
    throw new Error(`port ${port}: what was sent and what came is in ${folder}`, { cause: error });
  }
}
