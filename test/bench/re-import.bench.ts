import { fork } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from './bench';
import { kyeroFeed } from './feeds';
import { addGateway, type BenchGateway, drop, dropCopy, importNow } from './gateways';
import { alternating, timed } from './rounds';
import { sized } from './size';

const RECORDS = sized(10_000, 500);
const ROUNDS = sized(9, 1);
const REST_MS = 500;
/**
 * Compares the import of the same records in other bytes with the time that the general XML parser alone needs for the
 * file: from the inbox, and over HTTP from another process, as most feeds arrive.
 */
export const reImport: Bench = {
  name: 're-import',
  async run(surroundings) {
    // Two sizes, because most changed feeds have another size.
    let feed = await drop(surroundings, 'one.xml', kyeroFeed(RECORDS, 'one version'));
    let other = await drop(surroundings, 'other.xml', kyeroFeed(RECORDS, 'the other version'));
    const dropAnother = async (): Promise<string> => {
      [feed, other] = [other, feed];
      const path = await dropCopy(surroundings, 'feed.xml', feed);
      // Waits, because the previous contender still collects its garbage.
      await sleep(REST_MS);
      return path;
    };
    const parser = fork(join(__dirname, 'fast-xml-parser-alone.js'));
    const crm = fork(join(__dirname, 'feed-process.js'));
    const [source] = (await once(crm, 'message')) as [string];
    const gateways = {
      inbox: await addGateway(surroundings, 'kyero', 'file:feed.xml'),
      http: await addGateway(surroundings, 'kyero', `http://${source}/feed.xml`),
    };
    const importAs = async (state: string, gateway: BenchGateway): Promise<void> => {
      const end = await importNow(surroundings, gateway, { source });
      if (end.state !== state) throw new Error(`the import came out ${end.state}`);
    };
    const serveAnother = async (): Promise<void> => {
      crm.send(await dropAnother());
      await once(crm, 'message');
    };
    await serveAnother();
    await importAs('published', gateways.inbox);
    await importAs('published', gateways.http);
    const { alone, again, overHttp } = await alternating(ROUNDS, {
      async alone() {
        parser.send(await dropAnother());
        const [{ ms }] = (await once(parser, 'message')) as [{ ms: number }];
        return ms;
      },
      async again() {
        await dropAnother();
        return timed(() => importAs('unchanged', gateways.inbox));
      },
      async overHttp() {
        await serveAnother();
        return timed(() => importAs('unchanged', gateways.http));
      },
    });
    parser.kill();
    crm.kill();
    const { size } = await stat(feed);
    const compared = `fast-xml-parser alone ${Math.round(alone)} ms`;
    return [
      {
        what: 're-import from the inbox with other bytes and the same records, against fast-xml-parser alone',
        value: alone / again,
        goal: { min: 8 },
        unit: '×',
        detail: `${RECORDS} records, ${Math.round(size / 1e6)} MB, in ${Math.round(again)} ms; ${compared}`,
      },
      {
        what: 're-import over HTTP from another process, against the same',
        value: alone / overHttp,
        goal: { min: 8 },
        unit: '×',
        detail: `${RECORDS} records, ${Math.round(size / 1e6)} MB, in ${Math.round(overHttp)} ms; ${compared}`,
      },
    ];
  },
};
