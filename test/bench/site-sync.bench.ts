import { request } from 'undici';
import type { Bench } from './bench';
import { kyeroFeed } from './feeds';
import { addGateway, drop, importNow } from './gateways';
import { sized } from './size';

const LISTINGS = sized(5_000, 200);
const CHANGED = 3;

/**
 * The requests and bytes of a site's sync of 5,000 listings: when nothing has changed, and when three listings have
 * changed.
 */
export const siteSync: Bench = {
  name: 'site-sync',
  async run(surroundings) {
    await drop(surroundings, 'feed.xml', kyeroFeed(LISTINGS));
    const gateway = await addGateway(surroundings, 'kyero', 'file:feed.xml');
    await importNow(surroundings, gateway);
    const api = await surroundings.start('apps/api/src/main.js');
    const name = `crm=kyero&client=${gateway.client}`;
    const ask = async (path: string, headers: Record<string, string> = {}) => {
      const answer = await request(`http://127.0.0.1:${api.port}${path}`, {
        headers: { key: gateway.key, 'accept-encoding': 'gzip', ...headers },
      });
      const bytes = Buffer.from(await answer.body.arrayBuffer()).length;
      return { status: answer.statusCode, bytes, headers: answer.headers };
    };
    const manifest = await ask(`/v1/manifest?${name}`);
    const etag = String(manifest.headers['etag']);
    const same = await ask(`/v1/manifest?${name}`, { 'if-none-match': etag });
    if (same.status !== 304) throw new Error(`an unchanged manifest was answered with ${same.status}`);

    await drop(surroundings, 'feed.xml', changedFeed());
    await importNow(surroundings, gateway);
    const moved = await ask(`/v1/manifest?${name}`, { 'if-none-match': etag });
    if (moved.status !== 200) throw new Error(`a changed manifest was answered with ${moved.status}`);
    const changes = await ask(`/v1/changes?${name}&since=${String(manifest.headers['x-snapshot'])}`);
    if (changes.status !== 200) throw new Error(`the changes were answered with ${changes.status}`);
    return [
      {
        what: 'the body when nothing has changed',
        value: same.bytes / 1e3,
        goal: { max: 0 },
        unit: 'KB',
        detail: 'one 304',
      },
      {
        what: `the changes of ${CHANGED} of ${LISTINGS} listings, gzipped`,
        value: changes.bytes / 1e3,
        goal: { max: 10 },
        unit: 'KB',
        detail: `one request; with the manifest as proof ${Math.round(moved.bytes / 1e3)} KB more`,
      },
    ];
  },
};

/** The feed with another price in three of its records. */
function* changedFeed(): Generator<Buffer> {
  let left = CHANGED;
  for (const piece of kyeroFeed(LISTINGS)) {
    yield Buffer.from(
      piece.toString().replace(/<price>(\d+)<\/price>/g, (whole, price: string) => {
        if (left === 0) return whole;
        left -= 1;
        return `<price>${Number(price) + 1}</price>`;
      }),
    );
  }
}
