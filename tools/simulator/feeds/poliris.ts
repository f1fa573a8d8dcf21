import AdmZip from 'adm-zip';
import iconv from 'iconv-lite';
import type { TypeCode, TypeTransaction } from '@passerelle/domain';
import { type Photo, photoFile, SCENES } from '../photos/photo';
import { isRent, type PhotoUrls, type Property } from '../property';
import { AGENCIES } from '../invented-world';

const COLUMNS = 334;
/** The ranks of photos 1 to 9, 10 to 20 and 21 to 30, and of their titles. */
const PHOTO_RANKS = [...ranks(85, 93, 94), ...ranks(164, 174, 274), ...ranks(264, 273, 285)];
/** The numbers of the two compression methods in ZIP. */
const [STORED, DEFLATED] = [0, 8];

const OFFER_WORDS: Partial<Record<TypeTransaction, string>> = {
  vente: 'Vente',
  location: 'Location',
  'location-saisonniere': 'location vacances',
  viager: 'viager',
  'fonds-de-commerce': 'vente-fonds-de-commerce',
  'cession-de-bail': 'cession de bail',
  investissement: "produit d'investissement",
};

const KIND_WORDS: Readonly<Record<TypeCode, string>> = {
  appartement: 'Appartement',
  maison: 'maison/villa',
  terrain: 'terrain',
  parking: 'parking/box',
  immeuble: 'immeuble',
  bureau: 'bureaux',
  local: 'local',
  boutique: 'boutique',
  chateau: 'château',
  'hotel-particulier': 'hôtel particulier',
  loft: 'loft/atelier/surface',
  fonds: 'boutique',
  autre: 'inconnu',
};

/** Version 4.12, Windows-1252. @param photoUrls the addresses of photos that are not files in the archive */
export async function writePolirisZip(
  properties: readonly Property[],
  photoUrls: PhotoUrls,
  photoOf: (id: number, photo: Photo) => Promise<Buffer>,
): Promise<Buffer> {
  const zip = new AdmZip();
  // Uses a fixed time, so that the same listings give the same bytes.
  const add = (name: string, content: Buffer, method: number): void => {
    Object.assign(zip.addFile(name, content).header, { time: new Date(2024, 9, 1, 12, 0, 0), method });
  };
  add('Annonces.csv', writePolirisCsv(properties, photoUrls), DEFLATED);
  add('Config.txt', Buffer.from('Version=4.12\r\nApplication=Demo CRM / 1.0\r\nDevise=Euro\r\n'), DEFLATED);
  add('Photos.cfg', Buffer.from('Mode=FULL\r\n'), DEFLATED);
  for (const { id, photos } of properties.filter(hasPhotoFiles)) {
    const files = await Promise.all(photos.map((photo) => photoOf(id, photo)));
    for (const [index, file] of files.entries()) add(photoFile(id, photos[index]!), file, STORED);
  }
  return zip.toBuffer();
}

/** Every fourth property has photo files, as in older exports; others have addresses. */
export function hasPhotoFiles({ id }: Property): boolean {
  return id % 4 === 0;
}

function writePolirisCsv(properties: readonly Property[], photoUrls: PhotoUrls): Buffer {
  return iconv.encode(properties.map((property) => `${writeRow(property, photoUrls)}\r\n`).join(''), 'windows-1252');
}

function writeRow(property: Property, photoUrls: PhotoUrls): string {
  const { id, photos } = property;
  const cells = new Array<string>(COLUMNS).fill('');
  for (const [rank, value] of Object.entries(filledRanks(property))) cells[Number(rank) - 1] = cell(value);
  const places = hasPhotoFiles(property) ? photos.map((photo) => photoFile(id, photo)) : photoUrls(property);
  places.slice(0, PHOTO_RANKS.length).forEach((place, index) => {
    cells[PHOTO_RANKS[index]!.photo - 1] = place;
    cells[PHOTO_RANKS[index]!.title - 1] = SCENES[photos[index]!.scene];
  });
  return cells.map((text) => `"${text}"`).join('!#');
}

type Value = string | number | boolean | null;

function filledRanks(property: Property): Record<number, Value> {
  return {
    ...aboutTheOffer(property),
    ...aboutTheBuilding(property),
    ...aboutPapers(property),
    ...privateRanks(property),
  };
}

function aboutTheOffer(property: Property): Record<number, Value> {
  return {
    1: AGENCIES.poliris.id,
    2: property.reference,
    3: OFFER_WORDS[property.offer] ?? 'Vente',
    4: KIND_WORDS[property.kind],
    5: property.town.postcode,
    6: property.town.name,
    7: 'France',
    9: property.district,
    11: property.price ?? 0,
    13: property.offer === 'location' ? true : null,
    15: property.fees,
    20: property.title,
    21: property.text.join('<BR>'),
    23: property.charges,
    83: property.exclusive,
    105: property.negotiator.phone,
    106: property.negotiator.name,
    107: property.negotiator.email,
    112: property.mandate,
    161: property.deposit,
    175: String(property.id),
    185: property.bouquet,
    186: property.rente,
    201: property.price === null,
    298: property.town.latitude,
    299: property.town.longitude,
    301: '4.12',
    302: isRent(property) ? null : 1,
  };
}

function aboutTheBuilding(property: Property): Record<number, Value> {
  return {
    16: property.surfaceM2,
    17: property.plotM2,
    18: property.rooms,
    19: property.bedrooms,
    24: property.floor,
    25: property.floors,
    26: property.furnished,
    27: property.builtIn,
    29: property.bathrooms,
    39: property.balcony ? 1 : 0,
    41: property.elevator,
    43: property.parking ? 1 : 0,
    48: property.terrace,
    65: property.pool,
  };
}

function aboutPapers({ energy, coOwnershipLots, charges }: Property): Record<number, Value> {
  const inCoOwnership = coOwnershipLots !== null;
  return {
    176: energy?.valeur ?? null,
    177: energy?.classe ?? null,
    178: energy?.gesValeur ?? null,
    179: energy?.gesClasse ?? null,
    258: inCoOwnership,
    259: coOwnershipLots,
    260: inCoOwnership ? charges : null,
    261: inCoOwnership ? false : null,
    324: energy?.date.split('-').reverse().join('/') ?? null,
    325: energy === null ? null : 'DPE_v07-2021',
  };
}

/** Data that a gateway must never publish. */
function privateRanks(property: Property): Record<number, Value> {
  return {
    108: '99999',
    109: 'PRIVATE-TOWN',
    114: 'PRIVATE-OWNER',
    120: '0199009900',
    122: `PRIVATE-NOTE-${String(property.id)}`,
  };
}

/** The format has no escapes: a quote becomes an apostrophe, a line break `<BR>`. */
function cell(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'OUI' : 'NON';
  return String(value).replaceAll('"', "'");
}

function ranks(first: number, last: number, firstTitle: number): { photo: number; title: number }[] {
  return Array.from({ length: last - first + 1 }, (_, index) => ({ photo: first + index, title: firstTitle + index }));
}
