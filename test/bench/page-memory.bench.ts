import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from './bench';
import { kyeroFeed } from './feeds';
import { addGateway, drop, importNow } from './gateways';
import { answersPerSecond } from './http-load';
import { inTurns } from './rounds';

const LISTINGS = 500;
const ROUNDS = 8;
const ROUND_MS = 1_500;

/** A page of 50 that is remembered, with key and request id, against bare Fastify sending the same bytes. */
export const pageMemory: Bench = {
  name: 'page-memory',
  async run(surroundings) {
    await drop(surroundings, 'feed.xml', kyeroFeed(LISTINGS));
    const gateway = await addGateway(surroundings, 'kyero', 'file:feed.xml');
    await importNow(surroundings, gateway);
    const api = await surroundings.start('apps/api/src/main.js');
    const path = `/v1/properties?crm=kyero&client=${gateway.client}&per_page=50`;
    const headers = { key: gateway.key };
    const answer = await fetch(`http://127.0.0.1:${api.port}${path}`, { headers });
    const page = Buffer.from(await answer.arrayBuffer());
    const pageFile = join(surroundings.inboxDir, 'page.json');
    await writeFile(pageFile, page);
    const bare = await surroundings.start('test/bench/bare-server.js', { PAGE_FILE: pageFile });

    const { ours, theirs } = await inTurns(ROUNDS, {
      ours: () => answersPerSecond({ port: api.port, nextPath: () => path, headers }, ROUND_MS),
      theirs: () => answersPerSecond({ port: bare.port, nextPath: () => '/page' }, ROUND_MS),
    });
    return [
      {
        what: 'a page from memory, against bare Fastify',
        value: ours / theirs,
        goal: { min: 0.9 },
        unit: '×',
        detail: `${page.length} bytes, ${Math.round(ours)} answers a second against ${Math.round(theirs)}`,
      },
    ];
  },
};
