import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import type { Bench, Finding } from './bench';
import { kyeroFeed } from './feeds';
import { addGateway, drop, importNow } from './gateways';
import { answersPerSecond } from './http-load';
import { inTurns } from './rounds';

const LISTINGS = 500;
const ROUNDS = 8;
const ROUND_MS = 1_500;

const FORMS = [
  { form: 'plain', accepted: 'identity', encoding: undefined, min: 0.95 },
  { form: 'gzip', accepted: 'gzip', encoding: 'gzip', min: 0.95 },
] as const;

/** A page of 50 that is remembered, with key and request id, against bare Fastify sending the same bytes; also in gzip. */
export const pageMemory: Bench = {
  name: 'page-memory',
  async run(surroundings) {
    await drop(surroundings, 'feed.xml', kyeroFeed(LISTINGS));
    const gateway = await addGateway(surroundings, 'kyero', 'file:feed.xml');
    await importNow(surroundings, gateway);
    const api = await surroundings.start('apps/api/src/main.js');
    const path = `/v1/properties?crm=kyero&client=${gateway.client}&per_page=50`;
    const findings: Finding[] = [];
    for (const { form, accepted, encoding, min } of FORMS) {
      const headers = { key: gateway.key, 'accept-encoding': accepted };
      // Bytes as they are sent: fetch would inflate them.
      const answer = await request(`http://127.0.0.1:${api.port}${path}`, { headers });
      if (answer.headers['content-encoding'] !== encoding) throw new Error(`the page did not come in ${form}`);
      const page = Buffer.from(await answer.body.arrayBuffer());
      const pageFile = join(surroundings.inboxDir, `page.${form}`);
      await writeFile(pageFile, page);
      const bare = await surroundings.start('test/bench/bare-server.js', {
        PAGE_FILE: pageFile,
        ...(encoding !== undefined && { PAGE_ENCODING: encoding }),
      });
      const { ours, theirs } = await inTurns(ROUNDS, {
        ours: () => answersPerSecond({ port: api.port, nextPath: () => path, headers }, ROUND_MS),
        theirs: () => answersPerSecond({ port: bare.port, nextPath: () => '/page' }, ROUND_MS),
      });
      findings.push({
        what: `a page from memory (${form}), against bare Fastify`,
        value: ours / theirs,
        goal: { min },
        unit: '×',
        detail: `${page.length} bytes, ${Math.round(ours)} answers a second against ${Math.round(theirs)}`,
      });
    }
    return findings;
  },
};
