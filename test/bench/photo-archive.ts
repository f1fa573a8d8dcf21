import { crc32 } from 'node:zlib';
import sharp from 'sharp';

const PHOTOS_OF_A_LISTING = 12;
const DISTINCT = 24;
/** A JPEG of 12 megapixels from a phone has ten times as many bytes; the agencies' software makes photos smaller. */
const SIDE = { width: 1_600, height: 1_200 };

/** Photos like those that agencies send, of about 250 KB each. No two are the same file. */
export async function drawPhotos(): Promise<(number: number) => Buffer> {
  const drawn = await Promise.all(Array.from({ length: DISTINCT }, (_, seed) => draw(seed)));
  return (number) => {
    const photo = drawn[number % DISTINCT]!;
    // A different comment in each file makes each file unique.
    const comment = Buffer.from(String(number).padStart(12, '0'));
    const length = Buffer.from([0xff, 0xfe, 0, comment.length + 2]);
    return Buffer.concat([photo.subarray(0, 2), length, comment, photo.subarray(2)]);
  };
}

async function draw(seed: number): Promise<Buffer> {
  const { width, height } = SIDE;
  const noise = await sharp({
    create: {
      ...{ width, height, channels: 3, background: { r: 40 * (seed % 6), g: 10 * seed, b: 255 - 10 * seed } },
      noise: { type: 'gaussian', mean: 128, sigma: 12 },
    },
  })
    .jpeg({ quality: 60 })
    .toBuffer();
  return noise;
}

/** A Poliris archive with the given number of photos, uncompressed, in pieces. Another `note` gives other bytes. */
export function* polirisArchive(photos: number, photo: (number: number) => Buffer, note: string): Generator<Buffer> {
  const directory: Buffer[] = [];
  let at = 0;
  const entries = function* (): Generator<[string, Buffer]> {
    yield ['Annonces.csv', Buffer.from(polirisCsv(photos))];
    yield ['note.txt', Buffer.from(note)];
    for (let number = 0; number < photos; number += 1) yield [photoName(number), photo(number)];
  };
  for (const [name, content] of entries()) {
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(content.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const header = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name)]);
    const more = Buffer.alloc(14);
    more.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), fields, more, Buffer.from(name)]));
    at += header.length + content.length;
    yield header;
    yield content;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(at, 16);
  yield index;
  yield end;
}

function polirisCsv(photos: number): string {
  return Array.from({ length: Math.ceil(photos / PHOTOS_OF_A_LISTING) }, (_, id) => {
    const cells: Record<number, string> = {
      1: 'AG',
      2: `R${id}`,
      3: 'vente',
      4: 'maison/villa',
      11: '100000',
      175: `${id}`,
    };
    for (let index = 0; index < PHOTOS_OF_A_LISTING; index += 1) {
      cells[index < 9 ? 85 + index : 155 + index] = photoName(id * PHOTOS_OF_A_LISTING + index);
    }
    return Array.from({ length: 334 }, (_, rank) => `"${cells[rank + 1] ?? ''}"`).join('!#');
  }).join('\r\n');
}

function photoName(number: number): string {
  return `photos/${number}.jpg`;
}
