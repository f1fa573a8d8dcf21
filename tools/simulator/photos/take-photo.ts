import { join } from 'node:path';
import sharp from 'sharp';
import { createRandom, type Random } from '../random';
import { type Photo, photoFile } from './photo';

/** The size of every photo, in pixels. */
export const WIDTH = 800;
export const HEIGHT = 600;

const SCENES_FOLDER = join(__dirname, 'scenes');
const PICTURES_PER_SCENE = 6;
const QUALITY = 78;
/** Phones store the position of the house in photos; no gateway may publish it. */
const CAMERA_DATA = {
  IFD0: { Make: 'PRIVATE-CAMERA', Artist: 'PRIVATE-AGENT' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '45/1 44/1 28/1', GPSLongitudeRef: 'E', GPSLongitude: '3/1 10/1 52/1' },
};

/** The same seed gives the same bytes. A later edition shows the picture from another position at another hour. */
export async function takePhoto(seed: number, id: number, photo: Photo): Promise<Buffer> {
  const file = photoFile(id, photo);
  const place = createRandom(seed, file);
  const picture = join(SCENES_FOLDER, `${photo.scene}-${String(place.integer(1, PICTURES_PER_SCENE))}.webp`);
  const isMirrored = place.chance(0.5);
  const moment = createRandom(seed, `${file}/${String(photo.edition)}`);
  return sharp(picture)
    .flop(isMirrored)
    .extract(cutOut(moment))
    .linear(lightOf(moment), [0, 0, 0])
    .resize(WIDTH, HEIGHT, { fit: 'fill', kernel: 'linear' })
    .withExif(CAMERA_DATA)
    .jpeg({ quality: QUALITY })
    .toBuffer();
}

/** Factors for red, green and blue. Other colour spaces would take three times as long. */
function lightOf(random: Random): number[] {
  const [brightness, warmth] = [0.85 + random.next() * 0.3, (random.next() - 0.5) * 0.16];
  return [brightness * (1 + warmth), brightness, brightness * (1 - warmth)];
}

function cutOut(random: Random): { left: number; top: number; width: number; height: number } {
  const [width, height] = [random.integer(640, 780), random.integer(480, 585)];
  return { left: random.integer(0, WIDTH - width), top: random.integer(0, HEIGHT - height), width, height };
}
