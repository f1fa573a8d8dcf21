import type { Listing } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { inLanguages, languagesOf, type ListingTexts, textsByLanguage } from '../../kit/by-language';
import { toNumber, toRooms } from '../../kit/clean/number';
import type { TitleParts } from '../../kit/title-words';
import { plainLine } from '../../kit/clean/plain-text';
import type { LinkSource } from '../../kit/clean/attachments';
import { features, links, namesOfYes } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { certificate, reading } from '../../kit/energy';
import { absentGroups } from '../../kit/field-groups';
import type { ListingMapping } from '../../kit/listing-mapping';
import { offer } from '../../kit/offer';
import { place, position } from '../../kit/place';
import { together } from '../../kit/together';
import { compilePath, listOf, scalarOf, textOf } from '../../kit/values';
import { standing } from '../../kit/status';
import * as v from '../../kit/verbs';
import { lookUp } from '../../kit/word-table';
import { hidesPrice, statutOf, showsAddress } from './display';
import { CONDITIONS, type EstateType, NEGOTIATIONS, ORIENTATIONS, PERIODS, TYPES, UNITS } from './lookups';
import type { PhotoSource } from '../../kit/clean/photos';

/** The address of a photo expires on `url_expires_on`, so the identifier says which photo it is. */
function photosOf(record: JsonRecord): PhotoSource[] {
  return listOf(record['images'])
    .flatMap((one, index) => {
      if (typeof one !== 'object' || one === null) return [];
      const { id, url, description, ordinal } = one as JsonRecord;
      const source: PhotoSource = { value: textOf(url), dyingId: textOf(id), legende: textOf(description) };
      return [{ source, ordinal: toNumber(scalarOf(ordinal)) ?? index }];
    })
    .sort((a, b) => a.ordinal - b.ordinal)
    .map(({ source }) => source);
}

const isLet = (record: JsonRecord): boolean => textOf(record['negotiation']) === 'let';

/** The address of a plan may expire like a photo's; without an identifier it is a usual address. */
function plansOf(record: JsonRecord): LinkSource[] {
  return listOf(record['plans']).flatMap((one) => {
    if (typeof one !== 'object' || one === null) return [];
    const { id, url, description } = one as JsonRecord;
    return [{ value: textOf(url), dyingId: textOf(id), titre: textOf(description) }];
  });
}

const buyersShare = v.decimal('buyer_percentage');
const buyersAmount = v.money('buyer_fixed_fee');

type Fees = Pick<Listing, 'honoraires' | 'honorairesUnite' | 'honorairesCharge'>;

/** The part of the fees that the buyer pays. A letting has no buyer; a share and an amount together have no one figure. */
const fees = together<JsonRecord, Fees>((record, context) => {
  if (isLet(record)) return {};
  const share = buyersShare.read(record, context);
  const amount = buyersAmount.read(record, context);
  if (share !== undefined && amount !== undefined) {
    context.warn('implausible_value', 'buyer_fixed_fee', `${amount} beside ${share} %`);
    return {};
  }
  if (share !== undefined) return { honoraires: share, honorairesUnite: 'pourcentage', honorairesCharge: 'acquereur' };
  if (amount === undefined) return {};
  return { honoraires: amount, honorairesUnite: 'montant', honorairesCharge: 'acquereur' };
});

const at = { city: compilePath('location.city'), title: compilePath('project.title') };
const isPlot = (record: JsonRecord): boolean => typeOf(record)?.code === 'terrain';
const recurring = v.money('price_recurring_costs.amount');
const area = (name: string): v.Verb<JsonRecord, number> =>
  v.area(`sizes.${name}.size`, v.unit(UNITS, `sizes.${name}.unit`, 'm2'));
const has = (amenity: string): v.Verb<JsonRecord, true> =>
  v.computed(
    (record: JsonRecord) => listOf(record['amenities']).some((one) => textOf(one) === amenity) || undefined,
    'amenities',
  );

const prices = offer<JsonRecord>({
  transaction: v.oneOf(NEGOTIATIONS, 'negotiation', 'autre'),
  price: 'price.amount',
  period: v.unit(PERIODS, 'rent_period', 'mois'),
  isHidden: hidesPrice,
});
const texts = together<JsonRecord, ListingTexts>((record, context) =>
  inLanguages(
    textsByLanguage(record['description_title']),
    textsByLanguage(record['description']),
    languagesOf(context.settings, 'nl'),
  ),
);
const where = place<JsonRecord>({
  country: v.word('location.country'),
  postcode: v.word('location.postal_code'),
  usual: 'BE',
});
const epc = { label: v.word('epc_category'), value: reading('epc_value') };
const energy = certificate<JsonRecord>((record, context) => ({
  pays: where.pays.read(record, context),
  codePostal: where.codePostal.read(record, context),
  figures: [
    {
      field: 'epc_category',
      classe: epc.label.read(record, context),
      valueField: 'epc_value',
      valeur: epc.value.read(record, context),
      numero: plainLine(textOf(record['epc_reference'])),
    },
  ],
}));

/** Paths start at one estate, or at one unit of a project. */
export const MAPPING: ListingMapping<JsonRecord> = {
  ...absentGroups('not in the model of an estate', {
    'a rent is one amount': ['rentParts'],
    'the mandate is private to the agency and the vendor': ['mandate'],
    'specific to French law': ['frenchLaw', 'otherAreas'],
    'permissions and regulations have no public description': ['belgianLaw'],
    'specific to British adverts': ['britishLaw'],
    'Belgium has one cadastral figure': ['registrations'],
    'a negotiator has a name and contact details': ['licences'],
    'each unit has its own': ['project'],
    'there is only the current price': ['priceDetails'],
  }),
  affId: v.identifier('id'),
  affNum: v.text('settings.reference'),
  intitule: v.first(texts.field('intitule'), v.builtTitle(titleParts)),
  ...texts.fields('commentaires', 'langue', 'textes'),
  ...prices.fields('typeTransaction', 'prix', 'prixSurDemande', 'loyer', 'loyerPeriode', 'loyerSource'),
  prixMention: v.text('custom_price'),
  typeTransactionSource: v.text('negotiation'),
  ...standing(statutOf).fields('statut', 'sousOffre'),
  typeCode: v.computed((record: JsonRecord, context) => {
    const word = textOf(record['type']);
    return word === undefined ? undefined : (lookUp(TYPES, word, 'type', context)?.code ?? 'autre');
  }, 'type'),
  typeCodeSource: v.joined('type', 'sub_type'),
  prixCurrency: v.currency('price.currency', 'EUR'),
  surfaceHabitable: v.unless(isPlot, area('liveable_area')),
  surfaceTerrain: area('plot_area'),
  surfaceTotale: area('gross_area'),
  surfaceCarrez: area('loi_carrez_area'),
  charges: v.computed(chargesOf, 'price_recurring_costs.amount'),
  depotGarantie: v.when(isLet, v.money('price_guarantee.amount')),
  honorairesEtatDesLieux: v.when(isLet, v.money('price_inventory_report_cost.amount')),
  ...fees.fields('honoraires', 'honorairesUnite', 'honorairesCharge'),
  taxeFonciere: v.money('price_property_taxes.amount'),
  coproCharges: v.money('price_yearly_budgeted_building_costs.amount'),
  surfaceBureaux: area('office'),
  nbreChambres: v.rooms('bedrooms'),
  nbreSallesDeBain: v.integer('bathrooms'),
  nbreSallesEau: v.integer('shower_rooms'),
  nbreWc: v.integer('toilets'),
  etage: v.floor('location.floor'),
  nbreEtages: v.integer('floors'),
  anneeConstruction: v.year('building.construction.year'),
  ville: v.text('location.city'),
  ...where,
  adresse: v.when(showsAddress, v.joined('location.street', 'location.number', 'location.box')),
  ...position<JsonRecord>('location.geo.latitude', 'location.geo.longitude', showsAddress),
  photos: v.photos('images', photosOf),
  agenceNom: v.first(v.text('office.name'), v.setting('agence-nom')),
  negoNom: v.joined('negotiator.first_name', 'negotiator.last_name'),
  negoEmail: v.email('negotiator.email'),
  negoTel: v.text('negotiator.phone'),
  ...energy.fields('energie', 'dpeClasse', 'dpeValeur'),
  meuble: v.flag('features.comfort.furnished'),
  ascenseur: v.first<JsonRecord, boolean>(v.flag('features.comfort.elevator'), has('elevator'), has('lift')),
  piscine: v.first<JsonRecord, boolean>(v.flag('features.comfort.swimming_pool'), has('pool'), has('swimming_pool')),
  terrasse: has('terrace'),
  balcon: has('balcony'),
  jardin: has('garden'),
  cave: v.first<JsonRecord, boolean>(has('basement'), v.flag('features.comfort.wine_cellar')),
  parking: v.first(has('parking'), has('garage')),
  cheminee: v.flag('features.comfort.fireplace'),
  climatisation: v.flag('features.heating_cooling.air_conditioning'),
  chauffageType: v.computed(
    (record: JsonRecord) =>
      namesOfYes({
        'features.heating_cooling.central_heating': 'Chauffage central',
        'features.heating_cooling.floor_heating': 'Chauffage au sol',
      })(record).join(', ') || undefined,
    'features.heating_cooling.central_heating',
    'features.heating_cooling.floor_heating',
  ),
  chauffageEnergie: v.computed(
    (record: JsonRecord) =>
      namesOfYes({
        ...{ 'features.energy.gas': 'Gaz', 'features.energy.fuel': 'Mazout' },
        ...{ 'features.energy.heat_pump': 'Pompe à chaleur', 'features.energy.electricity': 'Électricité' },
      })(record).join(', ') || undefined,
    'features.energy.gas',
    'features.energy.fuel',
    'features.energy.heat_pump',
    'features.energy.electricity',
  ),
  caracteristiques: features(
    namesOfYes({
      'features.comfort.sauna': 'Sauna',
      'features.comfort.home_automation': 'Domotique',
      'features.ecology.double_glazing': 'Double vitrage',
      'features.ecology.solar_panels': 'Panneaux solaires',
      'features.security.alarm': 'Alarme',
      'features.security.concierge': 'Concierge',
    }),
    'features.comfort',
    'features.ecology',
    'features.security',
  ),
  etat: v.oneOf(CONDITIONS, 'general_condition'),
  neuf: v.computed(
    (record: JsonRecord) => textOf(record['general_condition']) === 'new' || undefined,
    'general_condition',
  ),
  exposition: v.first(v.oneOf(ORIENTATIONS, 'terrace_orientation'), v.oneOf(ORIENTATIONS, 'garden_orientation')),
  revenuCadastral: v.money('cadastral_income'),
  loue: v.flag('occupancy.occupied'),
  disponibilite: v.day('occupancy.available_from'),
  plans: links(plansOf, 'plans'),
  video: v.url('video_url'),
  visiteVirtuelle: v.url('virtual_tour_url'),
  programmeId: v.text('project_id'),
  programmeNom: v.computed((record: JsonRecord, context) => {
    const { intitule } = inLanguages(textsByLanguage(at.title(record)), new Map(), languagesOf(context.settings, 'nl'));
    return intitule;
  }, 'project.title'),
  programmeLots: v.first(v.integer('unit_count'), v.integer('project.units')),
  ...v.absent(
    'not in the model of an estate',
    'url',
    'quartier',
    'region',
    'exclusivite',
    'numeroEnregistrement',
    'regimePropriete',
    'surfaceUtile',
    'commission',
  ),
  ...v.absent('rooms are described one by one, and not counted', 'nbrePieces'),
  ...v.absent('addresses of documents expire, and some documents are not public', 'documents'),
  ...v.absent('specific to French law', 'loyerReferenceMajore', 'loyerEncadrement'),
};

/** The model names no period for recurring costs; they are monthly only where the rent is. */
function chargesOf(record: JsonRecord, context: RecordContext): number | undefined {
  const amount = isLet(record) ? recurring.read(record, context) : undefined;
  const period = textOf(record['rent_period']) ?? 'month';
  if (amount === undefined || period === 'month') return amount;
  context.warn('implausible_value', 'price_recurring_costs.amount', `${amount}: the rent is not monthly`);
  return undefined;
}

function typeOf(record: JsonRecord): EstateType | undefined {
  return TYPES.find(textOf(record['type']) ?? '');
}

function titleParts(record: JsonRecord): TitleParts {
  return {
    type: typeOf(record)?.title,
    chambres: toRooms(scalarOf(record['bedrooms'])),
    ville: plainLine(textOf(at.city(record))),
  };
}
