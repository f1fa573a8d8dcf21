import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import type { Bench, Finding } from './bench';
import { kyeroFeed } from './feeds';
import { addGateway, drop, importNow } from './gateways';
import { answersPerSecond } from './http-load';
import { alternating } from './rounds';
import { AS_IT_COMES, WITHOUT_LOGS } from './surroundings';
import { sized } from './size';

const LISTINGS = 500;
const ROUNDS = sized(30, 1);
const ROUND_MS = 150;

const FORMS = [
  { form: 'plain', accepted: 'identity', encoding: undefined },
  { form: 'gzip', accepted: 'gzip', encoding: 'gzip' },
] as const;

/** The settings of both servers: once with an access log on each and our rate limit, and once without. */
const LOGS = [
  { logs: 'logs and rate limit on', ours: AS_IT_COMES, theirs: { LOGGER: 'on' }, goal: { min: 0.75 } },
  { logs: 'both off', ours: WITHOUT_LOGS, theirs: {}, goal: null },
] as const;

/**
 * Compares a cached page of 50, with key and request id, with bare Fastify that sends the same bytes; also in gzip.
 * First with default settings: our access log and a rate limit, and Fastify's logger. Then without logs and limit.
 */
export const pageMemory: Bench = {
  name: 'page-memory',
  async run(surroundings) {
    await drop(surroundings, 'feed.xml', kyeroFeed(LISTINGS));
    const gateway = await addGateway(surroundings, 'kyero', 'file:feed.xml');
    await importNow(surroundings, gateway);
    const path = `/v1/properties?crm=kyero&client=${gateway.client}&per_page=50`;
    const findings: Finding[] = [];
    for (const { logs, goal, ...sides } of LOGS) {
      const api = await surroundings.start('apps/api/src/main.js', sides.ours);
      for (const { form, accepted, encoding } of FORMS) {
        const headers = { key: gateway.key, 'accept-encoding': accepted };
        // The raw bytes; `fetch` would decompress them.
        const answer = await request(`http://127.0.0.1:${api.port}${path}`, { headers });
        if (answer.headers['content-encoding'] !== encoding) throw new Error(`the page did not come in ${form}`);
        const page = Buffer.from(await answer.body.arrayBuffer());
        const pageFile = join(surroundings.inboxDir, `page.${form}`);
        await writeFile(pageFile, page);
        const bare = await surroundings.start('test/bench/bare-server.js', {
          PAGE_FILE: pageFile,
          ...sides.theirs,
          ...(encoding !== undefined && { PAGE_ENCODING: encoding }),
        });
        const { ours, theirs } = await alternating(ROUNDS, {
          ours: () => answersPerSecond({ port: api.port, nextPath: () => path, headers }, ROUND_MS),
          theirs: () => answersPerSecond({ port: bare.port, nextPath: () => '/page' }, ROUND_MS),
        });
        await bare.stop();
        findings.push({
          what: `a page from memory (${form}, ${logs}), against bare Fastify`,
          value: ours / theirs,
          goal,
          unit: '×',
          detail: `${page.length} bytes, ${Math.round(ours)} answers a second against ${Math.round(theirs)}`,
        });
      }
      await api.stop();
    }
    return findings;
  },
};
