import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The minimum number of requests during an upgrade. With `LOAD_REQUESTS=10000` the readers continue after the upgrade.
 */
export const LEAST_REQUESTS = Number(process.env['LOAD_REQUESTS'] ?? 5_000);
/**
 * A reader's pause between two requests. With very short pauses, such as `LOAD_REST_MS=2`, readers take both CPU cores
 * from the upgraded programs.
 */
const REST_MS = 10;

/** The answer that a reader got. For a broken connection, `status` is the error message. */
export interface Got {
  status: string;
  body: Buffer;
}

/** The request that the readers repeat. */
export interface RequestTarget {
  origin: string;
  path: string;
  headers?: Record<string, string>;
}

/** Readers that continue after any answer or error. */
export interface SteadyLoad {
  /** The number of requests that have been answered or have failed so far. */
  count(): number;
  /** Waits for the minimum number of requests, and stops the readers. @returns the number of answers per category */
  stop(): Promise<Record<string, number>>;
}

/** Sends one request over a connection of the agent. */
export function request(agent: Agent, { origin, path, headers = {} }: RequestTarget): Promise<Got> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const end = (status: string): void => {
      resolve({ status, body: Buffer.concat(chunks) });
    };
    const sent = httpRequest(origin + path, { agent, headers }, (response) => {
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', (error) => {
        end(error.message);
      });
      response.on('end', () => {
        end(String(response.statusCode));
      });
    });
    sent.on('error', (error) => {
      end(error.message);
    });
    sent.end();
  });
}

/** Waits until a proxy answers. */
export async function untilAnswered(origin: string): Promise<void> {
  while ((await request(new Agent(), { origin, path: '/health/live' })).status !== '200') await sleep(50);
}

/** Starts four readers, each with its own connection. `inWords` returns the category of an answer. */
export function startLoad(asked: RequestTarget, inWords: (got: Got) => string, usualRestMs = REST_MS): SteadyLoad {
  const restMs = Number(process.env['LOAD_REST_MS'] ?? usualRestMs);
  const answers: Record<string, number> = {};
  let [begun, ended] = [0, 0];
  let least = Infinity;
  const read = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true });
    while (begun < least) {
      begun += 1;
      const answer = inWords(await request(agent, asked));
      answers[answer] = (answers[answer] ?? 0) + 1;
      ended += 1;
      await sleep(restMs);
    }
    agent.destroy();
  };
  const readers = [read(), read(), read(), read()];
  return {
    count: () => ended,
    async stop() {
      least = LEAST_REQUESTS;
      await Promise.all(readers);
      return answers;
    },
  };
}
