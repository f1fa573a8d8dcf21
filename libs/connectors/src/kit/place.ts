import { territoryOf } from '@passerelle/domain';
import { type Coordinates, toCoordinates, toCountry, toDistrict, toPostcode } from './clean/place';
import { saysNothing } from './clean/fold-word';
import type { RecordContext } from './contracts';
import { together } from './together';
import { compilePath, scalarOf, textOf } from './values';
import type { Verb } from './verbs';
import { readCountry } from './word-table';

type PositionVerbs<R> = Readonly<Record<'latitude' | 'longitude', Verb<R, number>>>;

/** Whether a record allows its exact address to be shown; `district` when the format allows only the district. */
export type ShowsAddress<R> = (record: R, context: RecordContext) => boolean | 'district';

/**
 * Reads a point. If the address is hidden, the point is absent or has two decimals. Use the same function for the
 * address, the point and `addressProjection`.
 */
export function position<R>(
  latitude: string,
  longitude: string,
  showsAddress: ShowsAddress<R> = () => true,
): PositionVerbs<R> {
  const [latitudeAt, longitudeAt] = [compilePath(latitude), compilePath(longitude)];
  const parts = positionOf<R>((record, context) => {
    const shown = showsAddress(record, context);
    if (shown === false) return undefined;
    const point = readCoordinates(scalarOf(latitudeAt(record)), scalarOf(longitudeAt(record)), latitude, context);
    return point !== undefined && shown === 'district' ? toDistrict(point) : point;
  });
  const paths = [latitude, longitude];
  return { latitude: { ...parts.latitude, paths }, longitude: { ...parts.longitude, paths } };
}

/** A point from two values. A single coordinate, an impossible point, and words give a warning for `field`. */
export function readCoordinates(
  latitude: unknown,
  longitude: unknown,
  field: string,
  context: RecordContext,
): Coordinates | undefined {
  const point = toCoordinates(latitude, longitude);
  const words = [textOf(latitude) ?? '', textOf(longitude) ?? ''];
  if (point === undefined && words.some(saysSomething))
    context.warn('implausible_value', field, words.join(', ').slice(0, 120));
  return point;
}

/** The verbs for a point that a function reads. */
export function positionOf<R>(read: (record: R, context: RecordContext) => Coordinates | undefined): PositionVerbs<R> {
  return together<R, Partial<Coordinates>>((record, context) => read(record, context) ?? {}).fields(
    'latitude',
    'longitude',
  );
}

/** Whether a word contains information; zeros, signs and words for "unknown" do not. */
function saysSomething(word: string): boolean {
  return /[1-9]/.test(word) || (/\p{L}/u.test(word) && !saysNothing(word));
}

/** A postcode as the country writes it. An invalid postcode gives a warning for `field`. */
export function readPostcode(
  value: unknown,
  country: string | undefined,
  field: string,
  context: RecordContext,
): string | undefined {
  const postcode = toPostcode(value, country);
  const word = postcode === undefined ? textOf(value) : undefined;
  if (word !== undefined && saysSomething(word)) context.warn('implausible_value', field, word.slice(0, 120));
  return postcode;
}

export interface PlaceSource<R> {
  /** Reads the raw word of the country (`v.word`). An unknown word gives a warning for the first path of this verb. */
  country: Verb<R, string>;
  postcode: Verb<R, string>;
  /** ISO 3166-1 alpha-2, for records without a country when the setting `pays` is not set. */
  usual?: string;
}

/** Reads the country, and the postcode as that country writes it: `...place({ … })` answers `pays` and `codePostal`. */
export function place<R>(source: PlaceSource<R>): Readonly<Record<'pays' | 'codePostal', Verb<R, string>>> {
  const { country, postcode, usual } = source;
  const field = country.paths[0] ?? '';
  interface Place {
    pays: string | undefined;
    codePostal: string | undefined;
  }
  const parts = together<R, Place>((record, context) => {
    const word = country.read(record, context);
    const pays =
      word === undefined ? (toCountry(context.settings['pays']) ?? usual) : readCountry(word, field, context);
    const codePostal = readPostcode(postcode.read(record, context), pays, postcode.paths[0] ?? '', context);
    return { pays: territoryOf(pays, codePostal), codePostal };
  }).fields('pays', 'codePostal');
  return {
    pays: { ...parts.pays, paths: [...country.paths, ...postcode.paths] },
    codePostal: { ...parts.codePostal, paths: [...postcode.paths, ...country.paths] },
  };
}
