import type { XmlRecord } from '../../formats/xml-records';
import { languagesOf } from '../../kit/by-language';
import { builtTitle } from '../../kit/clean/built-title';
import { toRooms } from '../../kit/clean/count';
import { plainLine, plainText } from '../../kit/clean/plain-text';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, listOf } from '../../kit/path';
import { scalarOf, textOf } from '../../kit/scalar';
import { attributeOf } from './attributes';
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

/** Description, place, equipment and the rest, one paragraph each; where there is none of them the short text. */
export function descriptionOf(record: XmlRecord, context: RecordContext): string | undefined {
  const parts = PARTS.flatMap((part) => plainText(textOf(part(record)) ?? '') ?? []);
  if (parts.length > 0) return parts.join('\n\n');
  return plainText(textInLanguage(record, context) ?? textOf(at.short(record)) ?? '');
}

/** `<objekt_text lang="fr">`: the language that is wanted, else the first. */
function textInLanguage(record: XmlRecord, context: RecordContext): string | undefined {
  const texts = listOf(at.byLanguage(record));
  for (const language of languagesOf(context.settings)) {
    const found = texts.find((text) => textOf(attributeOf(text, 'lang'))?.slice(0, 2).toLowerCase() === language);
    const text = textOf(found);
    if (text !== undefined) return text;
  }
  return textOf(texts[0]);
}
