import type { TypeCode, TypeTransaction } from '@passerelle/domain';
import { HEIGHT, WIDTH } from '../photos/take-photo';
import { isRent, type PhotoUrls, type Property } from '../property';
import { AGENCIES } from '../invented-world';

const CATEGORIES: Partial<Record<TypeTransaction, number>> = {
  vente: 1,
  location: 2,
  'location-saisonniere': 3,
  programme: 4,
  viager: 5,
  enchere: 6,
};

/** The type, and the subtype if the type is ambiguous. */
const KINDS: Readonly<Record<TypeCode, readonly [type: number, subtype: number]>> = {
  appartement: [1, 5],
  maison: [2, 18],
  terrain: [3, 46],
  parking: [5, 43],
  immeuble: [6, 24],
  bureau: [7, 36],
  local: [9, 41],
  boutique: [4, 62],
  chateau: [2, 7],
  'hotel-particulier': [2, 37],
  loft: [1, 12],
  fonds: [4, 34],
  autre: [8, 51],
};

const SQUARE_FEET_PER_M2 = 10.763_910_4;
/** Constant, unlike the response time in the real API, because the demo must not change by itself. */
const ANSWERED_AT = 1_730_000_000;

export function apimoAgencies(): object {
  const { id, name, email, phone } = AGENCIES.apimo;
  const agency = {
    id,
    name,
    address: "1 rue de l'Exemple",
    zipcode: '06310',
    city: 'Villedemo-sur-Mer',
    country: 'FR',
    phone,
    fax: null,
    email,
    website: 'https://riviera.example.org',
    picture: null,
    created_at: '2015-01-01 00:00:00',
    updated_at: '2024-04-01 10:00:00',
  };
  return { total_items: 1, timestamp: ANSWERED_AT, agencies: [agency] };
}

/** A page of the list. */
export function apimoProperties(page: readonly Property[], total: number, photoUrls: PhotoUrls): object {
  const properties = page.map((property) => apimoProperty(property, photoUrls(property)));
  return { total_items: total, timestamp: ANSWERED_AT, properties };
}

function apimoProperty(property: Property, photos: readonly string[]): object {
  const [type, subtype] = KINDS[property.kind];
  const { id, town } = property;
  return {
    id,
    // The real API sends sometimes a number, sometimes text.
    reference: /^[1-9]\d*$/.test(property.reference) ? Number(property.reference) : property.reference,
    agency: AGENCIES.apimo.id,
    user: apimoUser(property),
    step: 1,
    status: 1,
    group: 1,
    parent: null,
    ranking: null,
    category: CATEGORIES[property.offer] ?? 1,
    subcategory: isRent(property) ? (property.furnished === true ? 22 : 21) : 1,
    name: '',
    type,
    subtype,
    agreement: {
      type: property.exclusive ? 3 : 1,
      reference: property.mandate,
      start_at: '2024-01-12',
      end_at: '2024-12-31',
    },
    address: `PRIVATE-STREET-${String(id)}`,
    address_more: null,
    publish_address: false,
    country: 'FR',
    region: { id: 1, name: town.region },
    city: { id: Number(town.postcode), name: town.name, zipcode: town.postcode },
    district: property.district === null ? null : { id: 18, name: property.district },
    longitude: town.longitude,
    latitude: town.latitude,
    radius: 500,
    area: apimoArea(property),
    plot: property.plotM2 === null ? null : { net_floor: null, land_type: null, width: null, area: property.plotM2 },
    rooms: property.rooms,
    bedrooms: property.bedrooms,
    sleeps: null,
    price: apimoPrice(property),
    ...{
      owner: 777,
      visit: { contact: 778, comment: `PRIVATE-VISIT-${String(id)}` },
      status_comment: 'PRIVATE-STATUS',
      private_comment: 'PRIVATE-NOTE',
    },
    residence:
      property.coOwnershipLots === null
        ? null
        : { id: null, type: 1, fees: property.charges, period: 4, lots: property.coOwnershipLots },
    construction: { method: [], construction_year: property.builtIn, renovation_year: null },
    floor:
      property.floor === null ? null : { type: null, value: property.floor, levels: null, floors: property.floors },
    condition: property.isNew ? 8 : 3,
    standing: 1,
    availability: 1,
    available_at: null,
    orientations: [4],
    services: [property.elevator && 6, property.pool && 11, property.furnished === true && 47].filter(
      (code) => code !== false,
    ),
    tags: [],
    pictures: apimoPictures(property.id, photos),
    medias: [],
    comments: apimoComments(property),
    areas: [],
    regulations: apimoRegulations(property),
    created_at: property.createdAt,
    updated_at: property.modifiedAt,
  };
}

function apimoUser({ negotiator }: Property): object {
  const [firstname, ...lastname] = negotiator.name.split(' ');
  return {
    id: 10,
    agency: AGENCIES.apimo.id,
    active: true,
    firstname,
    lastname: lastname.join(' '),
    email: negotiator.email,
    phone: negotiator.phone,
    mobile: null,
    language: 'fr',
    group: 2,
    birthday_at: '1980-01-01',
  };
}

function apimoArea({ surfaceM2, variant }: Property): object {
  if (surfaceM2 === null) return { unit: 1, value: null, total: null, weighted: null };
  const inFeet = variant === 0;
  const value = inFeet ? Math.round(surfaceM2 * SQUARE_FEET_PER_M2) : surfaceM2;
  return { unit: inFeet ? 2 : 1, value, total: null, weighted: null };
}

function apimoPrice(property: Property): object {
  const period = property.rentPeriod === 'semaine' ? 2 : property.rentPeriod === 'mois' ? 4 : null;
  return {
    // The real API sends some numbers as text.
    value: property.price === null ? 0 : property.variant % 4 === 0 ? String(property.price) : property.price,
    max: null,
    fees: isRent(property) ? property.charges : null,
    period,
    hide: property.price === null,
    inventory: null,
    deposit: property.deposit,
    currency: 'EUR',
    commission: null,
    vat: null,
    net_seller: 123_456_789,
    estimation: { min: 1, max: 2 },
    negotiable: 987_654_321,
  };
}

/** Reverses every second property's pictures, because clients must sort by rank. */
function apimoPictures(id: number, photos: readonly string[]): object[] {
  const pictures = photos.map((url, index) => ({
    id: id * 100 + index,
    rank: index + 1,
    url,
    width_max: WIDTH,
    height_max: HEIGHT,
    internet: true,
    comments: [],
  }));
  return id % 2 === 0 ? pictures : pictures.reverse();
}

function apimoComments({ title, text, town }: Property): object[] {
  const english = { title: `Property in ${town.name}`, comment: 'Fictitious property.', comment_full: '"' };
  return [
    { language: 'en', subtitle: null, hook: null, ...english },
    { language: 'fr', title, subtitle: '', hook: null, comment: text.join('\r\n'), comment_full: '' },
  ];
}

function apimoRegulations({ energy }: Property): object[] {
  if (energy === null) return [];
  const { valeur, gesValeur, date } = energy;
  return [
    { type: 1, value: String(valeur), date, graph: null },
    { type: 2, value: String(gesValeur), date, graph: null },
  ];
}
