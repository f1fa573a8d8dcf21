import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Bench } from './bench';
import { addGateway, drop, importNow } from './gateways';
import { drawPhotos, polirisArchive } from './photo-archive';
import { alternating, timed } from './rounds';
import { sized } from './size';

const PHOTOS = sized(4_008, 48);
const ROUNDS = sized(3, 1);

/** Compares the import of an archive of unchanged photos with its first import, and with hashing the file. */
export const photos: Bench = {
  name: 'photos',
  async run(surroundings) {
    const photo = await drawPhotos();
    let versions = 0;
    const dropAnother = (): Promise<string> => {
      versions += 1;
      return drop(surroundings, 'photos.zip', polirisArchive(PHOTOS, photo, `version ${versions}`));
    };
    const gateway = await addGateway(surroundings, 'poliris', 'file:photos.zip');
    const importAs = (state: string): Promise<number> =>
      timed(async () => {
        const end = await importNow(surroundings, gateway, {
          photosAt: { folder: join(surroundings.inboxDir, '..', 'media') },
        });
        if (end.state !== state || end.figures.warnings > 0) throw new Error(`the import came out ${end.state}`);
      });
    const path = await dropAnother();
    const megabytes = Math.round((await stat(path)).size / 1e6);
    const first = await importAs('published');
    const { again, hashed } = await alternating(ROUNDS, {
      async again() {
        await dropAnother();
        return importAs('unchanged');
      },
      hashed: () => timed(() => pipeline(createReadStream(path, { highWaterMark: 256 * 1024 }), createHash('sha256'))),
    });
    const detail = `${PHOTOS} photos, ${megabytes} MB: again in ${Math.round(again)} ms, first in ${Math.round(first / 1000)} s`;
    return [
      {
        what: 'the same photos again, against their first import',
        value: first / again,
        goal: { min: 20 },
        unit: '×',
        detail,
      },
      {
        what: 'the same photos again, against hashing the archive',
        value: again / hashed,
        goal: { max: 2 },
        unit: '×',
        detail: `hashed in ${Math.round(hashed)} ms: what the photos cost beyond it is their share`,
      },
    ];
  },
};
