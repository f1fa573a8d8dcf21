import { type Coordinates, toCoordinates, toCountry, toPostcode } from './clean/place';
import type { RecordContext } from './contracts';
import { together } from './together';
import { compilePath, scalarOf } from './values';
import type { Verb } from './verbs';
import { readCountry } from './words';

/** The two fields of a point, for spreading into a mapping. */
type PositionVerbs<R> = Readonly<Record<'latitude' | 'longitude', Verb<R, number>>>;

/** Reads a point: both coordinates or neither. `isShown` says whether the point of a record may be published. */
export function position<R>(
  latitude: string,
  longitude: string,
  isShown?: (record: R, context: RecordContext) => boolean,
): PositionVerbs<R> {
  const [latitudeAt, longitudeAt] = [compilePath(latitude), compilePath(longitude)];
  const parts = positionOf<R>((record, context) =>
    isShown?.(record, context) === false
      ? undefined
      : toCoordinates(scalarOf(latitudeAt(record)), scalarOf(longitudeAt(record))),
  );
  const paths = [latitude, longitude];
  return { latitude: { ...parts.latitude, paths }, longitude: { ...parts.longitude, paths } };
}

/** The same, for a point that a function reads. */
export function positionOf<R>(read: (record: R, context: RecordContext) => Coordinates | undefined): PositionVerbs<R> {
  return together<R, Partial<Coordinates>>((record, context) => read(record, context) ?? {}).parts(
    'latitude',
    'longitude',
  );
}

/** Where a feed has the country and the postcode. */
export interface PlaceSource<R> {
  /** The raw word (`v.word`). An unknown one gives a warning, under the first of these paths. */
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
    return { pays, codePostal: toPostcode(postcode.read(record, context), pays) };
  }).parts('pays', 'codePostal');
  return {
    pays: { ...parts.pays, paths: country.paths },
    codePostal: { ...parts.codePostal, paths: [...postcode.paths, ...country.paths] },
  };
}
