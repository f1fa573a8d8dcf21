import type { XmlRecord } from '../../formats/xml-records';
import { byLanguageAttribute, languagesOf } from '../../kit/by-language';
import { builtTitle } from '../../kit/clean/built-title';
import { toRooms } from '../../kit/clean/count';
import { plainLine, plainText } from '../../kit/clean/plain-text';
import type { RecordContext } from '../../kit/contracts';
import { compilePath } from '../../kit/path';
import { scalarOf, textOf } from '../../kit/scalar';
import { objectKindOf, propertyTypeOf } from './property-type';

const at = {
  title: compilePath('freitexte.objekttitel'),
  short: compilePath('freitexte.dreizeiler'),
  rooms: compilePath('flaechen.anzahl_zimmer'),
  bedrooms: compilePath('flaechen.anzahl_schlafzimmer'),
  town: compilePath('geo.ort'),
  byLanguage: compilePath('freitexte.objekt_text'),
};
const PARTS = [
  'freitexte.objektbeschreibung',
  'freitexte.lage',
  'freitexte.ausstatt_beschr',
  'freitexte.sonstige_angaben',
].map(compilePath);

/** The object's own title, else one that is built. */
export function titleOf(record: XmlRecord): string | undefined {
  const kind = objectKindOf(record);
  return (
    plainLine(textOf(at.title(record)) ?? '') ??
    builtTitle({
      type: propertyTypeOf(kind)?.title ?? kind?.name,
      pieces: toRooms(scalarOf(at.rooms(record))),
      chambres: toRooms(scalarOf(at.bedrooms(record))),
      ville: plainLine(textOf(at.town(record)) ?? ''),
    })
  );
}

/**
 * Description, place, equipment and the rest, one paragraph each; where there is none of them `<objekt_text lang="fr">`,
 * or else the short text.
 */
export function descriptionOf(record: XmlRecord, context: RecordContext): string | undefined {
  const parts = PARTS.flatMap((part) => plainText(textOf(part(record)) ?? '') ?? []);
  if (parts.length > 0) return parts.join('\n\n');
  const inLanguage = byLanguageAttribute(at.byLanguage(record), '@lang', languagesOf(context.settings));
  return plainText(inLanguage ?? textOf(at.short(record)) ?? '');
}
