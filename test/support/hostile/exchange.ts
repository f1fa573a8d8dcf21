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
  /** Everything that is sent of it. */
  text: string;
  /** The `X-Request-Id` that it names; null for one that has none to be echoed. */
  id: string | null;
  /** The request without its sender: equal texts get equal answers. Null where the answer may change from one moment to the next. */
  question: string | null;
  /** The number of the gateway whose key it has; null for a wrong key or none. */
  gateway: number | null;
  /** The statuses that it may get. */
  may: readonly number[];
  /** The page of a walk, when it is one. */
  page?: number;
}

/** The requests on one connection. */
export interface Exchange {
  requests: readonly HostileRequest[];
  /** Each request waits for the answer to the previous one, on a separate connection. */
  isPaced: boolean;
  /** Bytes after the requests that are no HTTP. */
  garbage: string;
  /** Where the bytes are cut into packets. */
  cuts: readonly number[];
  /** After how many bytes the client disconnects; null when it stays. */
  leavesAfter: number | null;
}

/** The answers of an exchange, and how long they took. */
export interface Outcome {
  answers: RawAnswer[];
  ms: number;
}

const PATIENCE_MS = 30_000;

/** @throws Error when the server does not end the connection in time, or sends what is no answer. */
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
  // The server ends a connection whose last words it does not read: what came before counts.
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
