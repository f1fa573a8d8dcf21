import type { XmlRecord } from '../../formats/xml-records';
import { inLanguages, languagesOf, type ListingTexts, textsOf } from '../../kit/by-language';
import { toIsoDay } from '../../kit/clean/date';
import { toNumber, toRooms } from '../../kit/clean/number';
import type { TitleParts } from '../../kit/title-words';
import { plainLine } from '../../kit/clean/plain-text';
import { inOneLine, links, lookedUpInOneLine } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { certificate } from '../../kit/energy';
import { absentGroups } from '../../kit/field-groups';
import type { ListingMapping } from '../../kit/listing-mapping';
import { place, position } from '../../kit/place';
import { together } from '../../kit/together';
import { compilePath, listOf, scalarOf, textOf } from '../../kit/values';
import { standing } from '../../kit/status';
import * as v from '../../kit/verbs';
import { lookUp } from '../../kit/word-table';
import { statutOf, showsAddress, showsStreet } from './display';
import { FEATURES, UNIT_AREAS } from './features';
import * as tables from './lookups';
import { documentsOf, photosOf, plansOf } from './media';
import { FIGURES, type Offer, readOffer } from './offer';

const at = {
  genre: compilePath('Property.Typo.Genre'),
  sort: compilePath('Property.Typo.Sort'),
  oldType: compilePath('Property.Type'),
  floor: compilePath('Property.FloorLevelNL'),
  rented: compilePath('Property.RentStatus'),
  bedrooms: compilePath('Property.NumberOfBedrooms'),
  town: compilePath('Property.Address.City'),
  flashes: compilePath('Property.AllFlashes.Flash'),
  ownFlashes: compilePath('Property.Flashes.Flash'),
  heating: compilePath('Property.HeatingTypes.HeatingType'),
  energy: compilePath('Property.Energy'),
  gas: compilePath('Property.GES'),
  project: compilePath('Property.PropertyType'),
};
const prices = together<XmlRecord, Offer>(readOffer);
const transaction = prices.field('typeTransaction');
const texts = together<XmlRecord, ListingTexts>(textsIn);
const where = place<XmlRecord>({
  country: v.word('Property.Address.CountryID'),
  postcode: v.word('Property.Address.City.@ZipCode'),
  usual: 'BE',
});
const energy = certificate<XmlRecord>((record, context) => {
  const pays = where.pays.read(record, context);
  const given = memberOf(at.energy(record));
  const [label, gas] = [textOf(given['Class']), memberOf(at.gas(record))];
  const details = {
    // In the Netherlands the index is a number without a unit.
    ...(pays !== 'NL' && { valueField: 'Property.Energy.Index', valeur: indexOf(given['Index']) }),
    ...{ numero: textOf(given['EnergyCertificateNr']), date: toIsoDay(given['CreationDate']) },
    ...{ valableJusque: toIsoDay(given['ClassEndDate']), prixAnnee: toIsoDay(given['ReferenceDateEnergyPrices']) },
    ...{ coutMin: positive(given['EstimatedAnnualCostMin']), coutMax: positive(given['EstimatedAnnualCostMax']) },
  };
  return {
    pays,
    codePostal: where.codePostal.read(record, context),
    figures: [
      { field: 'Property.Energy.Class', classe: label === 'BLANK' ? 'vierge' : label, ...details },
      ...[
        {
          grandeur: 'emissions' as const,
          field: 'Property.GES.Class',
          classe: gas['Class'],
          valeur: positive(gas['Index']),
        },
      ],
    ],
  };
});
const isPlot = (record: XmlRecord): boolean => typeOf(record)?.code === 'terrain';
const isProject = (record: XmlRecord): boolean => textOf(at.project(record)) === 'PROJECT';

/** Paths start at `Publication`. `Summary` is the publication's entry in the list. */
export const MAPPING: ListingMapping<XmlRecord> = {
  ...absentGroups('not in the service', {
    'the service has no final energy and no method': ['certificateDetails'],
    'the same': ['fees'],
    'specific to French law': ['rentControl', 'frenchLaw', 'otherAreas'],
    'a rent is one amount': ['rentParts'],
    'mandates are private to the agency': ['mandate'],
    'the service does not name proceedings': ['coOwnership'],
    'the service does not say the period of these amounts': ['yearlyCosts'],
    'specific to British adverts': ['britishLaw'],
    'Belgium has one cadastral figure': ['registrations'],
    'accounts have no licence': ['licences'],
    'people are accounts of another list, which is not requested': ['contact'],
    'there is only the current price': ['priceDetails'],
    'parking spaces and garages are counted separately, and may be the same': ['amenities'],
  }),
  affId: v.identifier('Info.ID'),
  affNum: v.first(v.text('Property.Reference'), v.text('Info.ID')),
  intitule: v.first(texts.field('intitule'), v.builtTitle(titleParts)),
  ...texts.fields('commentaires', 'langue', 'textes'),
  ...prices.fields('typeTransaction', 'prix', 'prixSurDemande', 'prixMetreCarre', 'prixPlage', 'loyer', 'loyerPeriode'),
  ...prices.fields('loyerSource', 'bouquet', 'rente', 'charges', 'depotGarantie'),
  typeTransactionSource: v.text('Property.Status'),
  ...standing(statutOf).fields('statut', 'sousOffre'),
  typeCode: v.computed(typeCodeOf, 'Property.Typo.Genre', 'Property.Typo.Sort', 'Property.Type'),
  typeCodeSource: v.firstOf(v.text, 'Property.Typo.Genre', 'Property.Typo.Sort', 'Property.Type'),
  prixCurrency: v.currency('Property.Currency'),
  surfaceHabitable: v.unless(isPlot, v.area('Property.SurfaceLivable', 'm2', FIGURES)),
  surfaceTerrain: v.area('Property.LandArea', 'm2', FIGURES),
  surfaceTotale: v.area('Property.TotalFloorArea', 'm2', FIGURES),
  nbrePieces: v.rooms('Property.NumberOfRooms'),
  nbreChambres: v.rooms('Property.NumberOfBedrooms'),
  nbreSallesDeBain: v.integer('Property.NumberOfBathrooms'),
  nbreWc: v.integer('Property.NumberOfToilets'),
  etage: v.computed(floorOf, 'Property.FloorLevelNL'),
  nbreEtages: v.integer('Property.NumberOfFloors'),
  anneeConstruction: v.year('Property.ConstructionYear'),
  ville: v.text('Property.Address.City'),
  ...where,
  adresse: v.when(
    showsStreet,
    v.computed(
      addressOf,
      'Property.Address.Street',
      'Property.Address.HouseNumber',
      'Property.Address.HouseNumberExtension',
    ),
  ),
  ...position<XmlRecord>('Property.Address.Position.@Y', 'Property.Address.Position.@X', showsAddress),
  photos: v.photos('Pictures.Picture', photosOf),
  plans: links(plansOf, 'FloorPlans.FloorPlan', 'Pictures.Picture'),
  documents: links(documentsOf, 'Documents.Document'),
  agenceNom: v.first(v.setting('agence-nom'), v.beside(v.text('agency.Company'))),
  agenceTel: v.beside(v.text('agency.Contact.Phone')),
  ...energy.fields('energie', 'dpeClasse', 'dpeValeur', 'gesClasse', 'gesValeur'),
  meuble: v.flag('Property.HasFurniture'),
  neuf: v.flag('Property.NewEstate'),
  exclusivite: v.flag('Property.IsExclusive'),
  balcon: v.flag('Property.HasBalcony'),
  terrasse: v.flag('Property.HasTerrace'),
  jardin: v.flag('Property.HasGarden'),
  cave: v.flag('Property.HasCellar'),
  parking: v.anyOf(
    'Property.HasGarage',
    'Property.HasParkingPlace',
    'Property.NumberOfParkingPlaces',
    'Property.NumberOfGarages',
  ),
  ascenseur: v.flag('Property.HasElevator'),
  piscine: v.flag('Property.HasPool'),
  climatisation: v.flag('Property.HasAirco'),
  cheminee: v.flag('Property.HasFirePlace'),
  accessible: v.flag('Property.HasDisabledAccess'),
  animaux: v.flag('Property.PetsAllowed'),
  cuisineEquipee: v.computed((record: XmlRecord, context) => {
    const kitchen = v.oneOf(tables.KITCHENS, 'Property.KitchenType').read(record, context);
    return typeof kitchen === 'boolean' ? kitchen : undefined;
  }, 'Property.KitchenType'),
  chauffageEnergie: lookedUpInOneLine(tables.HEAT_SOURCES, 'Property.HeatingTypes.HeatingType'),
  chauffageType: v.computed(
    (record: XmlRecord) =>
      inOneLine(listOf(at.heating(record)).flatMap((word) => tables.HEATING_KINDS.find(textOf(word) ?? '') ?? [])),
    'Property.HeatingTypes.HeatingType',
  ),
  etat: v.oneOf(tables.STATES, 'Property.GeneralState'),
  exposition: v.oneOf(tables.ORIENTATIONS, 'Property.Orientation'),
  disponibilite: v.day('Property.Dates.AvailableFrom'),
  disponibiliteTexte: v.first(
    v.text('Property.Dates.AvailableFromText'),
    v.computed(
      (record: XmlRecord, context) =>
        v.oneOf(tables.AVAILABILITIES, 'Property.Acception').read(record, context) || undefined,
      'Property.Acception',
    ),
  ),
  visiteVirtuelle: v.firstOf(v.url, 'Property.VirtualUrl', 'Property.VRURL'),
  video: v.url('Property.VideoUrl'),
  dateCreation: v.date('Info.Created'),
  dateModification: v.date('Info.Modified'),
  inondationP: v.oneOf(tables.FLOOD_LETTERS, 'Property.WaterPolicyPScore'),
  inondationG: v.oneOf(tables.FLOOD_LETTERS, 'Property.WaterPolicyGScore'),
  inondationZone: v.computed(floodZoneOf, 'Property.FloodProneArea', 'Property.DelimitedFloodplainOrRiverbank'),
  permisUrbanisme: v.flag('Property.UrbanDevelopment.Permit'),
  affectationUrbanisme: v.text('Property.UrbanDevelopment.AreaApplication'),
  citationUrbanisme: v.flag('Property.UrbanDevelopment.Summons'),
  droitPreemption: v.flag('Property.UrbanDevelopment.PreemptiveRights'),
  permisLotir: v.flag('Property.UrbanDevelopment.AllotmentPermit'),
  revenuCadastral: v.money('Property.CadastrallIncome', FIGURES),
  loue: v.unless(
    (record: XmlRecord, context) => transaction.read(record, context) === 'location',
    v.computed((record: XmlRecord) => {
      const status = textOf(at.rented(record));
      return status === 'RENTED' ? true : status === 'FREE' ? false : undefined;
    }, 'Property.RentStatus'),
  ),
  rendement: v.decimal('Property.ReturnOnInvestment', FIGURES),
  caracteristiques: FEATURES,
  dpeDate: v.day('Property.Energy.CreationDate'),
  dpeCoutMin: v.money('Property.Energy.EstimatedAnnualCostMin', FIGURES),
  dpeCoutMax: v.money('Property.Energy.EstimatedAnnualCostMax', FIGURES),
  dpeAnneeReference: v.yearOrDay('Property.Energy.ReferenceDateEnergyPrices'),
  copropriete: v.flag('Property.CommonSection.Present'),
  coproLots: v.integer('Property.CommonSection.NumberOfLots'),
  programmeNom: v.text('Property.Project.Name'),
  programmeId: v.computed(projectIdOf, 'Property.Project.PublicationID'),
  surfacePlage: v.when(isProject, UNIT_AREAS),
  programmeLots: v.when(isProject, v.integer('Property.Project.Units')),
  // prettier-ignore
  ...v.absent('not in the service', 'quartier', 'region', 'numeroEnregistrement', 'fraisCommunaute', 'regimePropriete',
    'surfaceUtile'),
  ...v.absent('nothing says what page SiteUrl and Link are', 'url'),
  ...v.absent('people are accounts of another list, which is not requested', 'negoEmail'),
  ...v.absent('areas of offices are in units of their own', 'surfaceBureaux'),
  ...v.absent(
    'the service does not say whether a commission is a share or an amount',
    'commission',
    'honoraires',
    'honorairesUnite',
  ),
  ...v.absent('the service does not say the period of these amounts', 'coproCharges'),
};

function memberOf(value: unknown): XmlRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as XmlRecord) : {};
}

/** -1 means unknown; other values below zero are those of buildings that produce energy. */
function indexOf(value: unknown): number | undefined {
  const number = toNumber(scalarOf(value), FIGURES);
  return number === -1 ? undefined : number;
}

/** -1 and zero mean unknown. */
function positive(value: unknown): number | undefined {
  const number = toNumber(scalarOf(value), FIGURES);
  return number !== undefined && number > 0 ? number : undefined;
}

function typeOf(record: XmlRecord): tables.PropertyType | undefined {
  return (
    tables.GENRES.find(textOf(at.genre(record)) ?? '') ??
    tables.SORTS.find(textOf(at.sort(record)) ?? '') ??
    tables.OLD_TYPES.find(textOf(at.oldType(record)) ?? '')
  );
}

function typeCodeOf(record: XmlRecord, context: RecordContext): tables.PropertyType['code'] | undefined {
  const known = typeOf(record);
  if (known !== undefined) return known.code;
  const [sort, old] = [textOf(at.sort(record)), textOf(at.oldType(record))];
  if (sort !== undefined) lookUp(tables.SORTS, sort, 'Property.Typo.Sort', context);
  else if (old !== undefined) lookUp(tables.OLD_TYPES, old, 'Property.Type', context);
  else return undefined;
  return 'autre';
}

/** The titles and texts by language. `AllFlashes` has all languages, `Flashes` only the language of the publication. */
function textsIn(record: XmlRecord, context: RecordContext): ListingTexts {
  const all = [...listOf(at.flashes(record)), ...listOf(at.ownFlashes(record))].map(memberOf);
  const pairs = (name: string): [string, unknown][] => all.map((one) => [textOf(one['@LanguageID']) ?? '', one[name]]);
  return inLanguages(textsOf(pairs('Title')), textsOf(pairs('Text')), languagesOf(context.settings, 'nl'));
}

/** Zero and -1 mean that there is no number. */
function addressOf(record: XmlRecord): string | undefined {
  const {
    Street: street,
    HouseNumber: number,
    HouseNumberExtension: extension,
  } = memberOf(memberOf(record['Property'])['Address']);
  if (textOf(street) === undefined) return undefined;
  const shown = showsAddress(record) === true && positive(number) !== undefined ? [number, extension] : [];
  return plainLine([street, ...shown].map((part) => textOf(part) ?? '').join(' '));
}

const GROUND_FLOOR = /^(?:gelijkvloers|begane grond)/i;

function floorOf(record: XmlRecord, context: RecordContext): number | undefined {
  const floor = v.floor('Property.FloorLevelNL');
  return GROUND_FLOOR.test(textOf(at.floor(record)) ?? '') ? 0 : floor.read(record, context);
}

function floodZoneOf(record: XmlRecord, context: RecordContext): string | undefined {
  const zone = v.oneOf(tables.FLOOD_AREAS, 'Property.FloodProneArea').read(record, context);
  const line = v.oneOf(tables.FLOOD_LINES, 'Property.DelimitedFloodplainOrRiverbank').read(record, context);
  return inOneLine([zone, line].filter((word) => word !== undefined && word !== ''));
}

function projectIdOf(record: XmlRecord): string | undefined {
  if (isProject(record)) return textOf(memberOf(record['Info'])['ID']);
  const id = memberOf(memberOf(record['Property'])['Project'])['PublicationID'];
  return positive(id) === undefined ? undefined : textOf(id);
}

function titleParts(record: XmlRecord): TitleParts {
  return {
    type: typeOf(record)?.title,
    chambres: toRooms(scalarOf(at.bedrooms(record))),
    ville: plainLine(textOf(at.town(record))),
  };
}
