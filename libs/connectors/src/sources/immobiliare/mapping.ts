import type { Statut } from '@passerelle/domain';
import type { XmlRecord } from '../../formats/xml-records';
import { offerId, offerOf } from '../../formats/several-offers';
import { inLanguages, languagesOf, type ListingTexts, type TextsByLanguage, textsOf } from '../../kit/by-language';
import type { TitleParts } from '../../kit/title-words';
import { plainLine } from '../../kit/clean/plain-text';
import { foldWord } from '../../kit/clean/fold-word';
import { features as listed, links, periodic } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { absentGroups } from '../../kit/field-groups';
import type { ListingMapping } from '../../kit/listing-mapping';
import { place, position } from '../../kit/place';
import { once, together } from '../../kit/together';
import { compilePath, listOf, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { lookUp } from '../../kit/word-table';
import { coolingOf, featuresOf, floorOf, furnishedOf, gardenOf, heatingOf, parkingOf } from './details';
import { energyOf } from './energy';
import { BUSINESS, type PropertyType, TYPES, UNITS } from './lookups';
import { documentsOf, photosOf, plansOf, videoOf } from './media';
import { offers } from './offer';
import { showsPoint, showsStreet } from './place';
import { keepsSold } from '../../kit/status';

const at = {
  descriptions: compilePath('features.descriptions.description'),
  oldDescriptions: compilePath('features.description'),
  building: compilePath('building.@map'),
  type: compilePath('property-type.type'),
  business: compilePath('property-type.business-type'),
  businessCategory: compilePath('property-type.business-type.@category'),
  sizes: compilePath('features.sizes.size'),
};

const texts = together<XmlRecord, ListingTexts>((record, context) =>
  inLanguages(inPart(record, 'title'), inPart(record, 'content'), languagesOf(context.settings, 'it')),
);
const where = place<XmlRecord>({
  country: v.word('location.country-code'),
  postcode: v.word('location.locality.postal-code'),
  usual: 'IT',
});
const energy = energyOf((record, context) => ({
  pays: where.pays.read(record, context),
  codePostal: where.codePostal.read(record, context),
}));
const size = once(v.first(v.area('features.size', v.unit(UNITS, 'features.size.@unit', 'm2')), v.computed(mainSize)));
const status = once(v.first(v.text('building.status'), v.text('building-status')));
const parking = together<XmlRecord, ReturnType<typeof parkingOf>>(parkingOf);
const isPlot = (record: XmlRecord): boolean => typeOf(record)?.code === 'terrain';
const AGENT_ID = v.identifier('agent.@id');
const OWN_ID = v.identifier('unique-id');

/** Paths start at `property`. */
export const MAPPING: ListingMapping<XmlRecord> = {
  ...absentGroups('not in the format', {
    'the certificate has no emissions': ['certificate'],
    'the certificate is a class, an index and two seasons': ['certificateDetails'],
    'additional-costs has no period: it is in fraisCommunaute': ['rentTerms'],
    'a rent is by the month, one amount': ['rentParts'],
    'specific to French law': ['frenchLaw'],
    'specific to Belgian law': ['belgianLaw'],
    'specific to British adverts': ['britishLaw'],
    'a Spanish licence': ['registrations'],
    'the agent has a name and contact details': ['licences'],
    'projects are records of their own, which are not read': ['project'],
    'price is one number, the current price': ['priceDetails'],
    'size is one area; sizes says what it is made of': ['otherAreas'],
    'bathrooms counts all bathrooms': ['bathrooms'],
    'exposition is inside or outside: it is in caracteristiques': ['comfort'],
  }),
  // The identifier is unique only within an agency: two agencies in one file may both have a 1.
  affId: v.computed((record, context) => {
    const own = OWN_ID.read(record, context);
    const agent = AGENT_ID.read(record, context);
    return offerId(own === undefined || agent === undefined ? own : `${agent}-${own}`, offerOf(record));
  }, 'unique-id'),
  affNum: v.text('unique-id'),
  intitule: v.first(texts.field('intitule'), v.builtTitle(titleParts)),
  ...texts.fields('commentaires', 'langue', 'textes'),
  ...offers.fields('typeTransaction', 'typeTransactionSource', 'prix', 'prixSurDemande', 'prixCurrency', 'loyer'),
  regimePropriete: offers.field('regimePropriete'),
  loue: v.first(offers.field('loue'), v.anyOf('extra-features.for-revenue')),
  typeCode: v.computed((record, context) => {
    const word = typeWordOf(record);
    if (word === undefined) return undefined;
    return isBusiness(record) ? BUSINESS.code : (lookUp(TYPES, word, 'property type', context)?.code ?? 'autre');
  }),
  typeCodeSource: v.computed(typeWordOf),
  surfaceHabitable: v.unless(isPlot, size),
  surfaceTerrain: v.first(
    v.area('extra-features.external-area', v.unit(UNITS, 'extra-features.external-area.@unit', 'm2')),
    v.when(isPlot, size),
  ),
  surfaceBureaux: v.area('extra-features.office-size', v.unit(UNITS, 'extra-features.office-size.@unit', 'm2')),
  nbrePieces: v.rooms('features.rooms'),
  nbreChambres: v.firstOf(v.rooms, 'extra-features.bedrooms', 'extended.amount-bedrooms'),
  nbreSallesDeBain: v.rooms('extra-features.bathrooms'),
  ville: v.text('location.city'),
  region: v.first(v.text('location.sub-administrative-area'), v.text('location.administrative-area')),
  quartier: v.text('location.locality.neighbourhood'),
  adresse: v.when(showsStreet, v.text('location.locality.thoroughfare')),
  ...where,
  ...position('location.locality.latitude', 'location.locality.longitude', showsPoint),
  photos: v.photos('pictures.picture', photosOf),
  plans: links(plansOf, 'blueprints.blueprint'),
  documents: links(documentsOf, 'documents.document'),
  video: v.computed(videoOf, 'videos.video'),
  visiteVirtuelle: v.url('extra-features.virtual-tour'),
  agenceNom: v.first(v.text('agent.office-name'), v.text('agent.name'), v.setting('agence-nom')),
  agenceTel: v.text('agent.phone'),
  negoNom: v.joined('agent.contact.firstname', 'agent.contact.surname'),
  negoTel: v.text('agent.contact.phone'),
  negoEmail: v.email('agent.email'),
  etage: v.computed(floorOf, 'extra-features.floor'),
  nbreEtages: v.integer('extra-features.num-floors'),
  anneeConstruction: v.year('extra-features.build-year'),
  etat: status,
  neuf: v.computed((record, context) =>
    /^(?:nuovo|in costruzione)$/.test(foldWord(status.read(record, context) ?? '')) ? true : undefined,
  ),
  meuble: v.computed(furnishedOf, 'extra-features.furniture'),
  jardin: v.computed(gardenOf, 'extra-features.garden'),
  balcon: v.first(v.flag('extra-features.balcony'), v.anyOf('extended.amount-balcony')),
  terrasse: v.first(v.flag('extra-features.terrace'), v.anyOf('extended.amount-terrace')),
  ascenseur: v.flag('extra-features.elevator'),
  piscine: v.anyOf('extended.swimming-pool'),
  cave: v.anyOf('extended.basement'),
  cheminee: v.anyOf('extended.fireplace'),
  climatisation: v.computed(coolingOf, 'extra-features.ambience.air-conditioning'),
  animaux: v.flag('extra-features.flatmate.pets'),
  ...parking.fields('parking', 'nbreParkings', 'parkingType'),
  chauffageType: v.computed(heatingOf, 'extra-features.ambience.heating'),
  chauffageEnergie: v.text('extra-features.ambience.heating.source'),
  depotGarantie: v.money('extra-features.costs.deposit'),
  fraisCommunaute: periodic(v.money('extra-features.additional-costs')),
  disponibilite: v.day('extra-features.available-date'),
  disponibiliteTexte: v.text('extra-features.free-conditions'),
  ...energy.fields('energie', 'dpeClasse', 'dpeValeur'),
  revenuCadastral: v.money('extended.registry.income'),
  categorieCadastrale: v.text('extended.registry.@class'),
  caracteristiques: listed<XmlRecord>(featuresOf, 'extended'),
  dateCreation: v.date('published-on'),
  dateModification: v.date('date-updated'),
  ...v.absent('the format is for a portal, and does not know pages of an agency', 'url'),
  ...v.absent('a rent is by the month, one amount', 'loyerPeriode', 'loyerSource'),
  ...v.absent('costs.services has no period: it is in raw only', 'charges'),
  ...v.absent('additional-costs has no period: it is in fraisCommunaute', 'coproCharges'),
  statut: v.computed(statutOf),
  ...v.absent('not in the format', 'sousOffre', 'commission', 'numeroEnregistrement', 'accessible'),
  ...v.absent('kitchen is a kind of room, and does not say whether it is fitted', 'cuisineEquipee'),
};

/** Some agencies write "sold" or "let" as a state. "Let" hides only a letting: a flat with a tenant may be for sale. */
const ARCHIVED = /^archiviat[oaie]\b/;
const SOLD = /^(?:gia )?vendut[oaie]\b/;
const LET = /^(?:gia )?(?:affittat|locat)[oaie]\b/;

function statutOf(record: XmlRecord, context: RecordContext): Statut | undefined {
  const word = foldWord(status.read(record, context) ?? '');
  if (SOLD.test(word)) return 'vendu';
  return LET.test(word) && MAPPING.typeTransaction.read(record, context) === 'location' ? 'loue' : undefined;
}

/** Returns why a property must be hidden. A file of changes deletes single properties. */
export function whyWithdrawn(record: XmlRecord, context: RecordContext): string | undefined {
  const word = status.read(record, context) ?? '';
  if (ARCHIVED.test(foldWord(word)) || (statutOf(record, context) !== undefined && !keepsSold(context)))
    return `no longer on offer (status "${word}")`;
  const operation = textOf(record['@operation'])?.toLowerCase();
  if (operation === 'delete') return 'the agency deletes it (operation="delete")';
  if (operation !== undefined && operation !== 'write' && operation !== 'force')
    context.warn('unknown_word', '@operation', operation.slice(0, 120));
  return undefined;
}

/** Version 2.5 and later have titles; in version 2.0 a description may be a bare text. */
function inPart(record: XmlRecord, part: 'title' | 'content'): TextsByLanguage {
  const all = [...listOf(at.descriptions(record)), ...listOf(at.oldDescriptions(record))];
  return textsOf(
    all.map((one): readonly [string, unknown] => {
      const members = (typeof one === 'object' && one !== null ? one : {}) as XmlRecord;
      const isBare = members['content'] === undefined && members['title'] === undefined;
      const text = members[part] ?? (part === 'content' && isBare ? one : undefined);
      return [textOf(members['@language'])?.replace(/^gr$/i, 'el') ?? '', text];
    }),
  );
}

function typeWordOf(record: XmlRecord): string | undefined {
  return plainLine(textOf(at.building(record)) ?? textOf(at.type(record)) ?? textOf(at.business(record)));
}

/** A code is no word. */
function spokenTypeOf(record: XmlRecord): string | undefined {
  const word = typeWordOf(record);
  return word === undefined || /^\d+$/.test(word) ? undefined : word;
}

function isBusiness(record: XmlRecord): boolean {
  return foldWord(textOf(at.businessCategory(record)) ?? '').startsWith('attivita');
}

function typeOf(record: XmlRecord): PropertyType | undefined {
  return isBusiness(record) ? BUSINESS : TYPES.find(typeWordOf(record) ?? '');
}

function titleParts(record: XmlRecord, context: RecordContext): TitleParts {
  return {
    type: typeOf(record)?.title ?? spokenTypeOf(record),
    pieces: MAPPING.nbrePieces.read(record, { ...context, warn: () => undefined }),
    ville: MAPPING.ville.read(record, context),
  };
}

const SURFACE = v.area('surface', v.unit(UNITS, '@unit', 'm2'));

function mainSize(record: XmlRecord, context: RecordContext): number | undefined {
  const unit = (record['features'] as XmlRecord | undefined)?.['sizes'] as XmlRecord | undefined;
  const main = listOf(at.sizes(record)).find((one) => textOf((one as XmlRecord)['@main']) === 'true');
  return main === undefined ? undefined : SURFACE.read({ ...(main as XmlRecord), '@unit': unit?.['@unit'] }, context);
}
