import { LISTING_FIELDS, type ListingField } from '@passerelle/domain';
import type { RecordKind } from './kinds';

type MappedField = Exclude<ListingField, 'passerelleName'>;

/** What the sample feed says; every other field waits for an answer. */
const ANSWERS: Partial<Record<MappedField, string>> = {
  affId: "v.text('id')",
  affNum: "v.text('reference')",
  intitule: "v.text('title')",
  commentaires: "v.prose('description')",
  typeTransaction: "v.oneOf(TRANSACTIONS, 'offer', 'autre')",
  typeTransactionSource: "v.text('offer')",
  typeCode: "v.oneOf(TYPES, 'kind', 'autre')",
  typeCodeSource: "v.text('kind')",
  prix: "offer.part('prix')",
  prixSurDemande: "offer.part('prixSurDemande')",
  prixCurrency: "v.computed(() => 'EUR')",
  loyer: "offer.part('loyer')",
  surfaceHabitable: "v.decimal('area')",
  nbrePieces: "v.rooms('rooms')",
  ville: "v.text('city')",
  codePostal: "v.computed((record) => toPostcode(textOf(record['postcode']), 'FR'))",
  pays: "v.computed(() => 'FR')",
  photos: "v.photos('photos.photo', photosOf)",
  dateModification: "v.date('updated')",
};

/** The mapping of a new connector, with an answer for every field of a listing. */
export function mappingFile(kind: RecordKind): string {
  const recordType = kind === 'xml' ? 'XmlRecord' : 'JsonRecord';
  const answers = LISTING_FIELDS.filter((field) => field !== 'passerelleName').map(
    (field) => `  ${field}: ${ANSWERS[field] ?? "v.absent('not looked for yet')"},`,
  );
  return `import type { Listing } from '@passerelle/domain';
import type { ${recordType} } from '../../formats/${kind}-records';
import type { PhotoSource } from '../../kit/clean/photos';
import { toPostcode } from '../../kit/clean/postcode';
import type { RecordContext } from '../../kit/contracts';
import type { ListingMapping } from '../../kit/listing-mapping';
import { compilePath, listOf } from '../../kit/path';
import { readPrice, readSalePrice } from '../../kit/price';
import { textOf } from '../../kit/scalar';
import * as v from '../../kit/verbs';
import { TRANSACTIONS, TYPES } from './lookups';

const photosAt = compilePath('photos.photo');
const offer = v.together(readOffer);

/** Where each field of a listing comes from; paths from the record. */
export const MAPPING: ListingMapping<${recordType}> = {
${answers.join('\n')}
};

/** Nothing and zero are on request. */
function readOffer(
  record: ${recordType},
  context: RecordContext,
): Pick<Listing, 'prix' | 'prixSurDemande' | 'loyer'> {
  const isRent = TRANSACTIONS.find(textOf(record['offer']) ?? '') === 'location';
  const price = (isRent ? readPrice : readSalePrice)(record['price'], 'price', context);
  if (price === undefined) return { prixSurDemande: true };
  return isRent ? { loyer: price } : { prix: price };
}

function photosOf(record: ${recordType}): PhotoSource[] {
  return listOf(photosAt(record)).map((value) => ({ value }));
}
`;
}
