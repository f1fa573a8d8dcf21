import type { Listing } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { toUrl } from '../../kit/clean/links';
import { toNumber, toSquareMetres } from '../../kit/clean/number';
import { plainLine } from '../../kit/clean/plain-text';
import type { RecordContext } from '../../kit/contracts';
import type { GivenFigure } from '../../kit/energy';
import { listOf, type Scalar, scalarOf, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { REGULATIONS, ROOM_MEANINGS, SERVICE_MEANINGS } from './lookups';

/** The fields that come from Apimo's lists of numbered items: rooms, services, regulations, media. */
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
  | 'dpeDate'
  | 'dpeCoutMin'
  | 'dpeCoutMax'
  | 'dpeAnneeReference'
  | 'dpeEnergieFinale'
  | 'visiteVirtuelle'
  | 'video'
> & { isFurnished?: true; figures?: readonly GivenFigure[] };

export function readDetails(record: JsonRecord, context: RecordContext): Details {
  const details: Details = {};
  readRooms(record['areas'], details, context);
  readServices(record['services'], details);
  readRegulations(record['regulations'], details, context);
  readMedia(record['medias'], details);
  return details;
}

function readRooms(areas: unknown, details: Details, context: RecordContext): void {
  for (const room of listOf(areas)) {
    const { type, number, area } = (room ?? {}) as Readonly<Record<string, unknown>>;
    const count = toNumber(scalarOf(number)) ?? 1;
    if (count <= 0 || count >= 1_000) continue;
    switch (ROOM_MEANINGS.get(toNumber(scalarOf(type)) ?? 0)) {
      case 'salleDeBain':
        details.nbreSallesDeBain = (details.nbreSallesDeBain ?? 0) + count;
        break;
      case 'salleEau':
        details.nbreSallesEau = (details.nbreSallesEau ?? 0) + count;
        break;
      case 'terrain': {
        const m2 = toSquareMetres(v.readSize(area, 'areas.area', context));
        if (m2 !== undefined) details.surfaceTerrain = (details.surfaceTerrain ?? 0) + m2;
        break;
      }
      case 'terrasse':
        details.terrasse = true;
        break;
      case 'balcon':
        details.balcon = true;
        break;
      case 'parking':
        details.parking = true;
        break;
      case 'piscine':
        details.piscine = true;
        break;
      case undefined:
    }
  }
}

function readServices(services: unknown, details: Details): void {
  for (const service of listOf(services)) {
    const meaning = SERVICE_MEANINGS.get(toNumber(scalarOf(service)) ?? 0);
    if (meaning === 'ascenseur') details.ascenseur = true;
    else if (meaning === 'piscine') details.piscine = true;
    else if (meaning === 'meuble') details.isFurnished = true;
  }
}

type Regulations = ReadonlyMap<number, { value: Scalar; date: unknown }>;

function readRegulations(regulations: unknown, details: Details, context: RecordContext): void {
  const found = new Map<number, { value: Scalar; date: unknown }>();
  for (const regulation of listOf(regulations)) {
    const { type, value: given, date } = (regulation ?? {}) as Readonly<Record<string, unknown>>;
    const id = toNumber(scalarOf(type));
    const value = scalarOf(given);
    if (id !== undefined && value !== undefined && !found.has(id)) found.set(id, { value, date });
  }
  if (found.size === 0) return;
  const dpe = first(found, REGULATIONS.dpeValeur);
  const ges = first(found, REGULATIONS.gesValeur);
  const dpeLetter = first(found, REGULATIONS.dpeClasse);
  set(details, 'dpeDate', regulatedDay.read({ regulations: dpe ?? dpeLetter ?? {} }, context));
  const reference = { value: first(found, REGULATIONS.dpeAnneeReference)?.value };
  set(details, 'dpeAnneeReference', regulatedYear.read({ regulations: reference }, context));
  set(
    details,
    'surfaceCarrez',
    toSquareMetres(v.readSize(first(found, REGULATIONS.carrez)?.value, 'regulations.value', context)),
  );
  for (const field of REGULATED_NUMBERS) {
    set(details, field, regulated.read({ regulations: { value: first(found, REGULATIONS[field])?.value } }, context));
  }
  details.figures = [
    {
      ...classAndValue(dpeLetter?.value, dpe?.value, context),
      ...{ date: details.dpeDate, coutMin: details.dpeCoutMin, coutMax: details.dpeCoutMax },
      ...{ prixAnnee: details.dpeAnneeReference, numero: plainLine(textOf(first(found, REGULATIONS.numero)?.value)) },
    },
    { grandeur: 'emissions', ...classAndValue(first(found, REGULATIONS.gesClasse)?.value, ges?.value, context) },
    { grandeur: 'energie-finale', field: 'regulations.value', valeur: details.dpeEnergieFinale },
  ];
}

/** A class letter, or a word without digits: `C`, `A4`, `D (210)`, `vierge`. */
const LETTER = /^(?:[a-i][1-4]?(?![a-z\d])|\D+$)/i;

/** Some agencies write the class letter into the field of the value. */
function classAndValue(letter: unknown, value: unknown, context: RecordContext): GivenFigure {
  const isLetter = LETTER.test(textOf(value) ?? '');
  return {
    field: 'regulations.value',
    classe: letter ?? (isLetter ? value : undefined),
    valeur: isLetter ? undefined : regulated.read({ regulations: { value } }, context),
  };
}

const regulated = v.decimal('regulations.value');
const regulatedDay = v.day('regulations.date');
const regulatedYear = v.yearOrDay('regulations.value');

const REGULATED_NUMBERS = [
  'taxeFonciere',
  'loyerComplement',
  'loyerReferenceMajore',
  'dpeCoutMin',
  'dpeCoutMax',
  'dpeEnergieFinale',
] as const;

function first(found: Regulations, ids: readonly number[]): { value: Scalar; date: unknown } | undefined {
  for (const id of ids) {
    const regulation = found.get(id);
    if (regulation !== undefined) return regulation;
  }
  return undefined;
}

function readMedia(medias: unknown, details: Details): void {
  for (const media of listOf(medias)) {
    const { type, value } = (media ?? {}) as Readonly<Record<string, unknown>>;
    const address = toUrl(textOf(value));
    if (address === undefined) continue;
    if (/video/i.test(textOf(type) ?? '')) details.video ??= address;
    else details.visiteVirtuelle ??= address;
  }
}

function set<K extends keyof Details>(details: Details, key: K, value: Details[K] | undefined): void {
  if (value !== undefined) details[key] = value;
}
