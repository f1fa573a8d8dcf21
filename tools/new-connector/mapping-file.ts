import { FIELD_GROUPS, LISTING_FIELDS, type ListingField } from '@passerelle/domain';
import type { RecordKind } from './kinds';

const ANSWERS = `
  affId: v.text('id'),
  affNum: v.text('reference'),
  intitule: v.text('title'),
  commentaires: v.prose('description'),
  ...prices.fields('typeTransaction', 'prix', 'prixSurDemande', 'loyer'),
  typeTransactionSource: v.text('offer'),
  typeCode: v.oneOf(TYPES, 'kind', 'autre'),
  typeCodeSource: v.text('kind'),
  prixCurrency: v.computed(() => 'EUR'),
  surfaceHabitable: v.area('area'),
  nbrePieces: v.rooms('rooms'),
  ville: v.text('city'),
  ...place({ country: v.word('country'), postcode: v.word('postcode'), usual: 'FR' }),
  photos: v.photos('photos.photo', photosOf),
  dateModification: v.date('updated'),`.slice(1);

const LONGEST_LINE = 116;

export function mappingFile(kind: RecordKind): string {
  const recordType = kind === 'xml' ? 'XmlRecord' : 'JsonRecord';
  return `import type { ${recordType} } from '../../formats/${kind}-records';
import type { PhotoSource } from '../../kit/clean/photos';
import { absentGroups } from '../../kit/field-groups';
import type { ListingMapping } from '../../kit/listing-mapping';
import { offer } from '../../kit/offer';
import { place } from '../../kit/place';
import { compilePath, listOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { TRANSACTIONS, TYPES } from './lookups';

const prices = offer({ transaction: v.oneOf(TRANSACTIONS, 'offer', 'autre'), price: 'price' });
const photosAt = compilePath('photos.photo');

/** The source of each field of a listing; paths from the record. */
export const MAPPING: ListingMapping<${recordType}> = {
  ...absentGroups('not mapped yet'),
${ANSWERS}
  // prettier-ignore
  ...v.absent('not mapped yet', ${wrapped(waitingFields())}),
};

function photosOf(record: ${recordType}): PhotoSource[] {
  return listOf(photosAt(record)).map((value) => ({ value }));
}
`;
}

function waitingFields(): readonly ListingField[] {
  const grouped: readonly ListingField[] = Object.values(FIELD_GROUPS).flat();
  return LISTING_FIELDS.filter(
    (field) =>
      !grouped.includes(field) &&
      field !== 'passerelleName' &&
      field !== 'mentions' &&
      field !== 'pays' &&
      field !== 'codePostal' &&
      !new RegExp(`\\b${field}\\b`).test(ANSWERS),
  );
}

function wrapped(names: readonly string[]): string {
  let text = '';
  let column = "  ...v.absent('not mapped yet', ".length;
  for (const [index, name] of names.entries()) {
    const word = `'${name}'${index === names.length - 1 ? '' : ','}`;
    const breaks = column + word.length > LONGEST_LINE;
    text += breaks ? `\n    ${word}` : `${index === 0 ? '' : ' '}${word}`;
    column = breaks ? 4 + word.length : column + word.length + 1;
  }
  return text;
}
