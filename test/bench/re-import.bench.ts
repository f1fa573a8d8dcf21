import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from './bench';
import { kyeroFeed } from './feeds';
import { addGateway, drop, dropCopy, importNow } from './gateways';
import { inTurns, timed } from './rounds';

const RECORDS = 10_000;
const ROUNDS = 9;
const REST_MS = 500;
/** What the first import of the first version took of the time that fast-xml-parser alone takes: measured side by side. */
const FIRST_VERSION = 1.6;

/** The same records in other bytes, against the first version's import of all of them. */
export const reImport: Bench = {
  name: 're-import',
  async run(surroundings) {
    // Of two sizes, as feeds mostly are that have changed.
    let feed = await drop(surroundings, 'one.xml', kyeroFeed(RECORDS, 'one version'));
    let other = await drop(surroundings, 'other.xml', kyeroFeed(RECORDS, 'the other version'));
    const dropAnother = async (): Promise<string> => {
      [feed, other] = [other, feed];
      const path = await dropCopy(surroundings, 'feed.xml', feed);
      // Whoever had the turn before still collects its garbage.
      await sleep(REST_MS);
      return path;
    };
    const gateway = await addGateway(surroundings, 'kyero', 'file:feed.xml');
    const parser = fork(join(__dirname, 'fast-xml-parser-alone.js'));
    const importAs = async (state: string): Promise<void> => {
      const end = await importNow(surroundings, gateway);
      if (end.state !== state) throw new Error(`the import came out ${end.state}`);
    };
    await dropAnother();
    await importAs('published');
    const { alone, again } = await inTurns(ROUNDS, {
      async alone() {
        parser.send(await dropAnother());
        const [{ ms }] = (await once(parser, 'message')) as [{ ms: number }];
        return ms;
      },
      async again() {
        await dropAnother();
        return timed(() => importAs('unchanged'));
      },
    });
    parser.kill();
    return [
      {
        what: "re-import with other bytes and the same records, against the first version's first import",
        value: (alone * FIRST_VERSION) / again,
        goal: { min: 25 },
        unit: '×',
        detail: `${RECORDS} records in ${Math.round(again)} ms; fast-xml-parser alone ${Math.round(alone)} ms, the first version ${FIRST_VERSION} times that`,
      },
    ];
  },
};
