import type { TypeCode, TypeTransaction } from '@passerelle/domain';
import { inventPhotos } from './photos/photo';
import { isRent, type Property, type SimulatedCrm } from './property';
import { createRandom, type Random } from './random';
import { ATTRACTIONS, DISTRICTS, FICTITIOUS, KIND_NAMES, NEGOTIATORS, SENTENCES, TOWNS } from './invented-world';

type Weights<T extends string> = Readonly<Partial<Record<T, number>>>;

interface Market {
  firstId: number;
  offers: Weights<TypeTransaction>;
  kinds: Weights<TypeCode>;
}

const HOMES = { appartement: 48, maison: 32 } as const;

/** The kinds of offers and properties that each of the three formats supports. */
const MARKETS: Readonly<Record<SimulatedCrm, Market>> = {
  apimo: {
    firstId: 810_001,
    offers: { vente: 55, location: 20, 'location-saisonniere': 8, viager: 5, programme: 4, enchere: 2 },
    kinds: {
      ...HOMES,
      terrain: 6,
      parking: 5,
      immeuble: 3,
      bureau: 3,
      local: 2,
      chateau: 1,
      'hotel-particulier': 1,
      loft: 2,
    },
  },
  kyero: {
    firstId: 1_001,
    offers: { vente: 75, location: 25 },
    kinds: { ...HOMES, terrain: 8, parking: 4, immeuble: 2, local: 4 },
  },
  poliris: {
    firstId: 100_001,
    offers: { vente: 56, location: 26, viager: 6, 'fonds-de-commerce': 4, 'cession-de-bail': 3, investissement: 3 },
    kinds: {
      ...HOMES,
      terrain: 7,
      parking: 6,
      immeuble: 3,
      bureau: 3,
      local: 2,
      boutique: 3,
      chateau: 1,
      'hotel-particulier': 1,
      loft: 2,
    },
  },
};

const BUSINESS_KINDS: Weights<TypeCode> = { boutique: 3, local: 2 };
const HOME_KINDS: Weights<TypeCode> = { appartement: 3, maison: 2 };

const LIVED_IN: ReadonlySet<TypeCode> = new Set(['appartement', 'maison', 'chateau', 'hotel-particulier', 'loft']);

/** The same seed gives the same properties, and a longer list begins with the shorter one. */
export function inventProperties(crm: SimulatedCrm, seed: number, count: number): Property[] {
  return Array.from({ length: count }, (_, index) => inventProperty(crm, seed, index));
}

export function inventProperty(crm: SimulatedCrm, seed: number, index: number): Property {
  const random = createRandom(seed, `${crm}/${String(index)}`);
  const market = MARKETS[crm];
  const id = market.firstId + index;
  const offer = random.weighted(market.offers);
  const kind = random.weighted(kindsFor(offer, market));
  const town = random.pick(TOWNS[crm]);
  const size = inventSize(random, kind);
  const created = inventMoment(random);
  const name = random.pick(KIND_NAMES[kind]);
  const rooms = size.rooms === null ? '' : ` ${String(size.rooms)} pièce${size.rooms > 1 ? 's' : ''}`;
  return {
    id,
    reference: inventReference(random, id, offer),
    offer,
    kind,
    variant: random.integer(0, 11),
    title: `${name}${rooms}, ${random.pick(ATTRACTIONS)}`,
    text: [`${name} à ${town.name}.`, ...inventSentences(random), FICTITIOUS],
    town: {
      ...town,
      latitude: shifted(random, town.latitude),
      longitude: shifted(random, town.longitude),
    },
    district: random.chance(0.6) ? random.pick(DISTRICTS) : null,
    ...size,
    ...inventPrice(random, offer, kind, size.surfaceM2 ?? size.plotM2 ?? 15),
    ...inventComfort(random, kind),
    ...inventPapers(random, offer, kind),
    photos: random.chance(0.04) ? [] : inventPhotos(kind, random.integer(2, 9)),
    negotiator: random.pick(NEGOTIATORS),
    createdAt: created,
    modifiedAt: later(created, random.integer(0, 60 * 24 * 60)),
  };
}

function kindsFor(offer: TypeTransaction, market: Market): Weights<TypeCode> {
  if (offer === 'fonds-de-commerce' || offer === 'cession-de-bail') return BUSINESS_KINDS;
  if (offer === 'viager' || offer === 'location-saisonniere' || offer === 'programme') return HOME_KINDS;
  return market.kinds;
}

function inventSize(
  random: Random,
  kind: TypeCode,
): Pick<Property, 'surfaceM2' | 'plotM2' | 'rooms' | 'bedrooms' | 'bathrooms' | 'floor' | 'floors' | 'builtIn'> {
  const nothing = {
    surfaceM2: null,
    plotM2: null,
    rooms: null,
    bedrooms: null,
    bathrooms: null,
    floor: null,
    floors: null,
    builtIn: null,
  };
  if (kind === 'terrain') return { ...nothing, plotM2: random.rounded(300, 9_000, 10) };
  const builtIn = random.chance(0.8) ? random.integer(1880, 2023) : null;
  if (kind === 'parking') return { ...nothing, surfaceM2: random.integer(10, 24), builtIn };
  if (!LIVED_IN.has(kind)) return { ...nothing, surfaceM2: random.integer(25, 900), builtIn };
  const isFlat = kind === 'appartement' || kind === 'loft';
  const rooms = isFlat ? random.integer(1, 6) : random.integer(3, kind === 'maison' ? 9 : 20);
  const floors = isFlat ? random.integer(1, 9) : null;
  return {
    surfaceM2: rooms * random.integer(16, 30) + (random.chance(0.4) ? 0.5 : 0),
    plotM2: isFlat ? null : random.rounded(120, 4_000, 5),
    rooms,
    bedrooms: rooms > 1 ? Math.max(1, rooms - random.integer(1, 2)) : null,
    bathrooms: random.integer(1, Math.max(1, Math.floor(rooms / 3))),
    floor: floors === null ? null : random.integer(0, floors),
    floors,
    builtIn,
  };
}

function inventPrice(
  random: Random,
  offer: TypeTransaction,
  kind: TypeCode,
  sizeM2: number,
): Pick<Property, 'price' | 'rentPeriod' | 'bouquet' | 'rente'> {
  const onRequest = random.chance(0.06);
  const perM2 = kind === 'terrain' ? random.integer(40, 320) : random.integer(1_400, 7_500);
  const sale = Math.max(9_000, Math.round((sizeM2 * perM2) / 500) * 500);
  if (offer === 'location-saisonniere') {
    return { price: random.rounded(420, 3_900, 10), rentPeriod: 'semaine', bouquet: null, rente: null };
  }
  if (isRent({ offer })) {
    const rent = Math.max(55, Math.round((sizeM2 * random.integer(90, 240)) / 100) * 10);
    return { price: onRequest ? null : rent, rentPeriod: 'mois', bouquet: null, rente: null };
  }
  if (offer === 'viager') {
    return { price: sale, rentPeriod: null, bouquet: Math.round(sale / 4), rente: random.rounded(200, 1_900, 10) };
  }
  return { price: onRequest ? null : sale, rentPeriod: null, bouquet: null, rente: null };
}

function inventComfort(
  random: Random,
  kind: TypeCode,
): Pick<Property, 'isNew' | 'furnished' | 'elevator' | 'terrace' | 'balcony' | 'pool' | 'parking'> {
  const isHome = LIVED_IN.has(kind);
  return {
    isNew: isHome && random.chance(0.08),
    furnished: isHome ? random.chance(0.2) : null,
    elevator: isHome && random.chance(0.3),
    terrace: isHome && random.chance(0.4),
    balcony: isHome && random.chance(0.3),
    pool: isHome && random.chance(0.15),
    parking: isHome && random.chance(0.5),
  };
}

function inventPapers(
  random: Random,
  offer: TypeTransaction,
  kind: TypeCode,
): Pick<Property, 'exclusive' | 'mandate' | 'charges' | 'deposit' | 'fees' | 'coOwnershipLots' | 'energy'> {
  const rental = isRent({ offer });
  const isFlat = kind === 'appartement' || kind === 'loft';
  return {
    exclusive: random.chance(0.3),
    mandate: String(random.integer(1_000, 9_999)),
    charges: rental || isFlat ? random.rounded(20, 400, 5) : null,
    deposit: rental ? random.rounded(300, 3_000, 10) : null,
    fees: rental ? random.rounded(90, 1_200, 5) : random.rounded(30, 80, 1) / 10,
    coOwnershipLots: isFlat && !rental ? random.integer(4, 180) : null,
    energy: LIVED_IN.has(kind) ? inventEnergy(random) : null,
  };
}

const ENERGY_LIMITS = [70, 110, 180, 250, 330, 420, 600] as const;
const GES_LIMITS = [6, 11, 30, 50, 70, 100, 140] as const;

function inventEnergy(random: Random): Property['energy'] {
  if (random.chance(0.1)) return null;
  const grade = random.integer(0, 6);
  return {
    classe: 'ABCDEFG'[grade]!,
    valeur: ENERGY_LIMITS[grade]! - random.integer(1, 30),
    gesClasse: 'ABCDEFG'[grade]!,
    gesValeur: GES_LIMITS[grade]! - random.integer(1, 4),
    date: `202${String(random.integer(1, 4))}-${twoDigits(random.integer(1, 12))}-${twoDigits(random.integer(1, 28))}`,
  };
}

function inventSentences(random: Random): string[] {
  const first = random.integer(0, SENTENCES.length - 1);
  return Array.from({ length: random.integer(1, 5) }, (_, index) => SENTENCES[(first + index * 5) % SENTENCES.length]!);
}

/** References as agents write them: some with leading zeros, some shared by two listings. */
function inventReference(random: Random, id: number, offer: TypeTransaction): string {
  if (random.chance(0.1)) return String(random.integer(1, 999)).padStart(5, '0');
  return `${offer.slice(0, 2).toUpperCase()}${String(id % 100_000)}`;
}

const shifted = (random: Random, degrees: number): number =>
  Math.round((degrees + (random.next() - 0.5) / 20) * 100_000) / 100_000;

function inventMoment(random: Random): string {
  const date = `2024-${twoDigits(random.integer(1, 9))}-${twoDigits(random.integer(1, 28))}`;
  return `${date} ${twoDigits(random.integer(8, 19))}:${twoDigits(random.integer(0, 59))}:00`;
}

export function later(moment: string, minutes: number): string {
  const time = Date.parse(`${moment.replace(' ', 'T')}Z`) + minutes * 60_000;
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');
