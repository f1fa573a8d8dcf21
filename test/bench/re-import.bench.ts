import type { Bench } from './bench';
import { kyeroFeed } from './feeds';
import { addGateway, drop, importNow } from './gateways';
import { inTurns, timed } from './rounds';

const RECORDS = 10_000;
const ROUNDS = 5;

/** The same records in other bytes, against the import of all of them. */
export const reImport: Bench = {
  name: 're-import',
  async run(surroundings) {
    let versions = 0;
    const dropAnother = async (): Promise<void> => {
      versions += 1;
      await drop(surroundings, 'feed.xml', kyeroFeed(RECORDS, `version ${versions}`));
    };
    let gateway = await addGateway(surroundings, 'kyero', 'file:feed.xml');
    const importAs = async (state: string): Promise<number> => {
      await dropAnother();
      return await timed(async () => {
        const end = await importNow(surroundings, gateway);
        if (end.state !== state) throw new Error(`the import came out ${end.state}`);
      });
    };
    await importAs('published');
    const known = gateway;
    const { first, again } = await inTurns(ROUNDS, {
      async first() {
        gateway = await addGateway(surroundings, 'kyero', 'file:feed.xml');
        return await importAs('published');
      },
      async again() {
        gateway = known;
        return await importAs('unchanged');
      },
    });
    return [
      {
        what: 're-import with other bytes and the same records, against the first import',
        value: first / again,
        goal: { min: 20 },
        unit: '×',
        detail: `${RECORDS} records in ${Math.round(again)} ms, first in ${Math.round(first)} ms`,
      },
    ];
  },
};
