import type { Listing } from '@passerelle/domain';

import type { JsonRecord } from '../../formats/json-records';
import { toSquareMetres } from '../../kit/clean/area';
import { toYear } from '../../kit/clean/count';
import { toIsoDay } from '../../kit/clean/date';
import { toEnergyClass } from '../../kit/clean/energy-class';
import { toNumber } from '../../kit/clean/number';
import { toUrl } from '../../kit/clean/url';
import { listOf } from '../../kit/path';
import { scalarOf, textOf } from '../../kit/scalar';
import { REGULATIONS, ROOM_TYPES, SERVICES } from './lookups';

/** The fields that stand in Apimo's lists of numbered things: rooms, services, regulations, media. */
export type Details = Pick<
  Listing,
  | 'nbreSallesDeBain'
  | 'nbreSallesEau'
  | 'balcon'
  | 'terrasse'
  | 'parking'
  | 'ascenseur'
  | 'piscine'
  | 'surfaceTerrain'
  | 'surfaceCarrez'
  | 'taxeFonciere'
  | 'loyerComplement'
  | 'loyerReferenceMajore'
  | 'dpeClasse'
  | 'dpeValeur'
  | 'gesClasse'
  | 'gesValeur'
  | 'dpeDate'
  | 'dpeCoutMin'
  | 'dpeCoutMax'
  | 'dpeAnneeReference'
  | 'dpeEnergieFinale'
  | 'visiteVirtuelle'
  | 'video'
> & { isFurnished?: true };

/** Reads the lists of one property. */
export function readDetails(record: JsonRecord): Details {
  const services = idsOf(record['services']);
  const rooms = roomsOf(record['areas']);
  return defined({
    ...regulationsOf(record['regulations']),
    ...mediaOf(record['medias']),
    nbreSallesDeBain: positive(rooms.count(ROOM_TYPES.salleDeBain)),
    nbreSallesEau: positive(rooms.count(ROOM_TYPES.salleEau)),
    balcon: yes(rooms.count(ROOM_TYPES.balcon) > 0),
    terrasse: yes(rooms.count(ROOM_TYPES.terrasse) > 0),
    parking: yes(rooms.count(ROOM_TYPES.parking) > 0),
    ascenseur: yes(SERVICES.ascenseur.some((id) => services.has(id))),
    piscine: yes(SERVICES.piscine.some((id) => services.has(id)) || rooms.count(ROOM_TYPES.piscine) > 0),
    surfaceTerrain: positive(rooms.area(ROOM_TYPES.terrain)),
    isFurnished: yes(SERVICES.meuble.some((id) => services.has(id))),
  });
}

interface Rooms {
  count(types: readonly number[]): number;
  area(types: readonly number[]): number;
}

function roomsOf(areas: unknown): Rooms {
  const rooms = listOf(areas).map((room) => {
    const { type, number, area } = (room ?? {}) as Readonly<Record<string, unknown>>;
    const count = toNumber(scalarOf(number)) ?? 1;
    return { type: toNumber(scalarOf(type)), count: count >= 0 && count < 1_000 ? count : 0, area: toNumber(scalarOf(area)) ?? 0 };
  });
  const ofTypes = (types: readonly number[]) => rooms.filter((room) => room.type !== undefined && types.includes(room.type));
  return {
    count: (types) => ofTypes(types).reduce((sum, room) => sum + room.count, 0),
    area: (types) => ofTypes(types).reduce((sum, room) => sum + Math.max(room.area, 0), 0),
  };
}

function regulationsOf(regulations: unknown): Partial<Details> {
  const values = new Map<number, { value: unknown; date: unknown }>();
  for (const regulation of listOf(regulations)) {
    const { type, value, date } = (regulation ?? {}) as Readonly<Record<string, unknown>>;
    const id = toNumber(scalarOf(type));
    if (id !== undefined && !values.has(id)) values.set(id, { value: scalarOf(value), date });
  }
  if (values.size === 0) return {};
  const find = (ids: readonly number[]) => ids.map((id) => values.get(id)).find((entry) => entry?.value !== undefined);
  const number = (ids: readonly number[]) => positive(toNumber(find(ids)?.value));
  const dpe = find(REGULATIONS.dpeValeur);
  const ges = find(REGULATIONS.gesValeur);
  return {
    dpeClasse: toEnergyClass(find(REGULATIONS.dpeClasse)?.value) ?? toEnergyClass(dpe?.value),
    dpeValeur: positive(toNumber(dpe?.value)),
    gesClasse: toEnergyClass(find(REGULATIONS.gesClasse)?.value) ?? toEnergyClass(ges?.value),
    gesValeur: positive(toNumber(ges?.value)),
    dpeDate: toIsoDay((dpe ?? find(REGULATIONS.dpeClasse))?.date),
    surfaceCarrez: toSquareMetres(number(REGULATIONS.carrez)),
    taxeFonciere: number(REGULATIONS.taxeFonciere),
    loyerComplement: number(REGULATIONS.loyerComplement),
    loyerReferenceMajore: number(REGULATIONS.loyerReferenceMajore),
    dpeCoutMin: number(REGULATIONS.dpeCoutMin),
    dpeCoutMax: number(REGULATIONS.dpeCoutMax),
    dpeAnneeReference: yearOrDay(find(REGULATIONS.dpeAnneeReference)?.value),
    dpeEnergieFinale: number(REGULATIONS.dpeEnergieFinale),
  } as Partial<Details>;
}

function mediaOf(medias: unknown): Partial<Details> {
  const found: Partial<Details> = {};
  for (const media of listOf(medias)) {
    const { type, value } = (media ?? {}) as Readonly<Record<string, unknown>>;
    const address = toUrl(textOf(value) ?? '');
    if (address === undefined) continue;
    if (/video/i.test(textOf(type) ?? '')) found.video ??= address;
    else found.visiteVirtuelle ??= address;
  }
  return found;
}

function idsOf(list: unknown): ReadonlySet<number> {
  return new Set(listOf(list).map((id) => toNumber(scalarOf(id)) ?? NaN));
}

function yearOrDay(value: unknown): string | undefined {
  const year = toYear(value);
  return year === undefined ? toIsoDay(value) : String(year);
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}

function yes(is: boolean): true | undefined {
  return is || undefined;
}

/** Without the keys that hold nothing. */
function defined<T extends object>(values: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}
