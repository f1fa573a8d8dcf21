import sharp, { type Sharp } from 'sharp';
import { createRandom, type Random } from '../random';
import { block, garage, house, shop } from './building';
import { garden, plot, view } from './landscape';
import { type Photo, photoFile, type Scene } from './photo';
import { bathroom, bedroom, kitchen, livingRoom, office } from './room';
import { HEIGHT, WIDTH } from './svg';

const DRAWINGS: Readonly<Record<Scene, (random: Random) => string>> = {
  facade: house,
  immeuble: block,
  vitrine: shop,
  garage,
  terrain: plot,
  salon: livingRoom,
  cuisine: kitchen,
  chambre: bedroom,
  bain: bathroom,
  plateau: office,
  jardin: garden,
  vue: view,
};

const QUALITY = 78;
/** Agents' phones write where the house stands: no gateway may pass it on. */
const CAMERA_DATA = {
  IFD0: { Make: 'PRIVATE-CAMERA', Artist: 'PRIVATE-AGENT' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '45/1 44/1 28/1', GPSLongitudeRef: 'E', GPSLongitude: '3/1 10/1 52/1' },
};

/** Draws a photo, as a JPEG of 800 × 600 pixels with a camera's data: for the same seed the same bytes. */
export async function drawPhoto(seed: number, id: number, photo: Photo): Promise<Buffer> {
  const file = photoFile(id, photo);
  const drawing = DRAWINGS[photo.scene](createRandom(seed, file));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${drawing}</svg>`;
  const image = sharp(Buffer.from(svg));
  const taken = photo.edition === 1 ? image : takenAgain(image, createRandom(seed, `${file}/${photo.edition}`));
  return taken.withExif(CAMERA_DATA).jpeg({ quality: QUALITY }).toBuffer();
}

/** The same place at another hour, from a step nearer. */
function takenAgain(image: Sharp, random: Random): Sharp {
  const [width, height] = [random.integer(660, 780), random.integer(500, 585)];
  const left = random.integer(0, WIDTH - width);
  return image
    .extract({ left, top: random.integer(0, HEIGHT - height), width, height })
    .resize(WIDTH, HEIGHT, { fit: 'fill' })
    .modulate({ brightness: 0.85 + random.next() * 0.3, saturation: 0.8 + random.next() * 0.4 });
}
