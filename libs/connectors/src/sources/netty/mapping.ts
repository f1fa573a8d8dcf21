import type { Listing } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { toRooms } from '../../kit/clean/number';
import type { PhotoSource } from '../../kit/clean/photos';
import type { TitleParts } from '../../kit/title-words';
import { plainLine } from '../../kit/clean/plain-text';
import type { RecordContext } from '../../kit/contracts';
import { certificate } from '../../kit/energy';
import { absentGroups } from '../../kit/field-groups';
import type { ListingMapping } from '../../kit/listing-mapping';
import { place, position } from '../../kit/place';
import { isDoubtful, readPrice, readSalePrice } from '../../kit/price';
import { once, together } from '../../kit/together';
import { scalarOf, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { lookUp } from '../../kit/word-table';
import { showsAddress } from './display';
import { type ProductType, TYPES } from './lookups';

type Offer = Pick<Listing, 'typeTransaction' | 'prix' | 'prixSurDemande' | 'loyer'>;

const prices = together<JsonRecord, Offer>(readOffer);
const isPlot = (record: JsonRecord): boolean => typeOf(record)?.code === 'terrain';
const isPublic = (_record: unknown, context: RecordContext): boolean => showsAddress(context);

const where = place({ country: v.word('country'), postcode: v.word('postal_code'), usual: 'FR' });
const epc = { energy: v.decimal('epc_energy'), climate: v.decimal('epc_climate'), date: once(v.day('epc_date')) };
const energy = certificate<JsonRecord>((record, context) => ({
  pays: where.pays.read(record, context),
  codePostal: where.codePostal.read(record, context),
  figures: [
    { field: 'epc_energy', valeur: epc.energy.read(record, context), date: epc.date.read(record, context) },
    { grandeur: 'emissions', field: 'epc_climate', valeur: epc.climate.read(record, context) },
  ],
}));

/** Paths start at one element of `data`. */
export const MAPPING: ListingMapping<JsonRecord> = {
  ...absentGroups('no public description has it', {
    'the values come without their letters': ['certificate'],
    'the format does not say whether `fees` are euros or percent': ['fees'],
    'price is one amount, and the format does not say what it includes': ['rentParts', 'priceDetails'],
    'no public description of the API has these duties of French law': ['frenchLaw'],
    'specific to Belgian law': ['belgianLaw'],
    'specific to British adverts': ['britishLaw'],
    'specific to other land registers': ['registrations'],
    'a user has a name and a job, no licence; fees are private': ['licences'],
    'a product is one property, of no project': ['project'],
    'the format does not say whether `surface` covers more than the living space': ['otherAreas'],
    'no client reads such a member': ['heating', 'investment', 'comfort'],
  }),
  affId: v.identifier('product_ref'),
  affNum: v.first(v.text('product_ref_custom'), v.text('product_ref')),
  intitule: v.first(v.text('title'), v.builtTitle(titleParts)),
  commentaires: v.first(v.prose('details'), v.prose('details_listing')),
  ...prices.fields('typeTransaction', 'prix', 'prixSurDemande', 'loyer'),
  typeTransactionSource: v.text('product_offer_type'),
  typeCode: v.computed((record: JsonRecord, context) => {
    const word = textOf(record['product_type']);
    return word === undefined ? undefined : (lookUp(TYPES, word, 'product_type', context)?.code ?? 'autre');
  }, 'product_type'),
  typeCodeSource: v.text('product_type'),
  prixCurrency: v.currency('currency'),
  surfaceHabitable: v.first(v.area('surface_living_space'), v.unless(isPlot, v.area('surface'))),
  nbrePieces: v.rooms('rooms'),
  nbreChambres: v.rooms('bedrooms'),
  ville: v.text('city'),
  ...where,
  adresse: v.when(isPublic, v.text('address')),
  ...position('latitude', 'longitude', isPublic),
  photos: v.photos('images_public', photosOf),
  agenceNom: v.setting('agence-nom'),
  negoNom: v.joined('linked_user_id.first_name', 'linked_user_id.last_name'),
  negoEmail: v.email('linked_user_id.email'),
  negoTel: v.text('linked_user_id.phone_mobile'),
  surfaceTerrain: v.first(v.area('surface_land'), v.when(isPlot, v.area('surface'))),
  etage: v.floor('floor'),
  copropriete: v.flag('coownership'),
  ...energy.fields('energie', 'dpeValeur', 'gesValeur'),
  dpeDate: epc.date,
  dateCreation: v.date('time_created'),
  dateModification: v.date('time_modified'),
  ...v.absent(
    'no public description has it',
    'textes',
    'url',
    'sousOffre',
    'statut',
    'loyerPeriode',
    'loyerSource',
    'quartier',
    'surfaceCarrez',
    'honorairesEtatDesLieux',
    'honorairesBareme',
  ),
  ...v.absent('price_seller_net is private', 'prixHorsHonoraires'),
  ...v.absent(
    'no client reads such a member',
    'region',
    'nbreWc',
    'nbreParkings',
    'parkingType',
    'etat',
    'caracteristiques',
    'disponibiliteTexte',
    'regimePropriete',
    'fraisCommunaute',
    'numeroEnregistrement',
  ),
  ...v.absent('texts have one language, and do not say which', 'langue'),
  ...v.absent('images are not marked as plans, and no client reads documents', 'plans', 'documents'),
};

const SALE = '1';

/** An amount is a price only if the kind of offer is known: no price is better than a rent shown as a price. */
function readOffer(record: JsonRecord, context: RecordContext): Offer {
  const type = textOf(record['product_offer_type']);
  const amount = textOf(record['price']);
  const onRequest: Offer = isDoubtful(record['price'], context) ? {} : { prixSurDemande: true };
  if (type === SALE) {
    const prix = readSalePrice(record['price'], 'price', context);
    return { typeTransaction: 'vente', ...(prix === undefined ? onRequest : { prix }) };
  }
  const rentals = context.settings['offres-location']?.split(/[\s,;]+/) ?? [];
  if (type !== undefined && rentals.includes(type)) {
    const loyer = readPrice(record['price'], 'price', context);
    return { typeTransaction: 'location', ...(loyer === undefined ? onRequest : { loyer }) };
  }
  if (type === undefined) {
    if (amount !== undefined) context.warn('implausible_value', 'price', `${amount} without product_offer_type`);
    return onRequest;
  }
  context.warn('unknown_word', 'product_offer_type', type.slice(0, 120));
  return { typeTransaction: 'autre', ...onRequest };
}

function typeOf(record: JsonRecord): ProductType | undefined {
  return TYPES.find(textOf(record['product_type']) ?? '');
}

function titleParts(record: JsonRecord): TitleParts {
  return {
    type: typeOf(record)?.title,
    pieces: toRooms(scalarOf(record['rooms'])),
    chambres: toRooms(scalarOf(record['bedrooms'])),
    ville: plainLine(textOf(record['city'])),
  };
}

/** In order of preference. */
const ADDRESSES = ['public_url', 'url', 'src'];

/** Public clients have met three forms: a list of addresses, a list of objects, an object with numbers as keys. */
function photosOf(record: JsonRecord): PhotoSource[] {
  const images = record['images_public'];
  if (typeof images !== 'object' || images === null) return [{ value: textOf(images) }];
  const isOne = ADDRESSES.some((name) => Object.hasOwn(images, name));
  return (isOne ? [images] : Object.values(images)).map((image: unknown) => ({ value: addressOf(image) }));
}

function addressOf(image: unknown): string | undefined {
  if (typeof image !== 'object' || image === null) return textOf(image);
  const members = image as JsonRecord;
  return ADDRESSES.map((name) => textOf(members[name])).find((address) => address !== undefined);
}
