import { agencyKey } from '../../formats/openimmo-frame';
import { vendorText } from '../../formats/openimmo-transfers';
import type { XmlRecord } from '../../formats/xml-records';
import { languagesOf } from '../../kit/by-language';
import { plainLine } from '../../kit/clean/plain-text';
import type { RecordContext } from '../../kit/contracts';
import { compilePath } from '../../kit/path';
import { textOf } from '../../kit/scalar';

const techn = {
  obid: compilePath('verwaltung_techn.openimmo_obid'),
  extern: compilePath('verwaltung_techn.objektnr_extern'),
  intern: compilePath('verwaltung_techn.objektnr_intern'),
  language: compilePath('verwaltung_techn.sprache'),
};

/** The agency that a record belongs to; '' in transfers that name none. */
export function scopeOf(_record: XmlRecord, context: RecordContext): string {
  return agencyKey(vendorText(context, 'openimmo_anid')) ?? '';
}

/**
 * `openimmo_obid` is constant and unique within an agency; without it the object's numbers stand in. The agency comes
 * first, as one file may hold several.
 */
export function affIdOf(record: XmlRecord, context: RecordContext): string | undefined {
  const own = line(techn.obid(record)) ?? line(techn.extern(record)) ?? line(techn.intern(record));
  if (own === undefined) return undefined;
  const agency = scopeOf(record, context);
  return agency === '' ? own : `${agency}-${own}`;
}

/** Of one object in several languages the one that is wanted most is kept; undefined where no language is named. */
export function languageRank(record: XmlRecord, context: RecordContext): string | undefined {
  const language = textOf(techn.language(record))?.slice(0, 2).toLowerCase();
  if (language === undefined) return undefined;
  const languages = languagesOf(context.settings);
  const place = languages.indexOf(language);
  return String(place === -1 ? 0 : languages.length - place);
}

function line(value: unknown): string | undefined {
  return plainLine(textOf(value) ?? '');
}
