import type { TitleWord } from '../../kit/title-words';
import type { EnergyState, TypeCode, TypeTransaction } from '@passerelle/domain';
import { wordTable } from '../../kit/word-table';

/** A letting with an option to buy is a letting. */
export const OPERATIONS = wordTable<TypeTransaction>({ sale: 'vente', rent: 'location', rentToOwn: 'location' });

/** Values of the visibility of a property: `microsite` is the website of the agency, `private` is for the agency only. */
export const PROPERTY_VISIBILITIES = wordTable<boolean>({ idealista: true, microsite: true, private: false });
export const VISIBILITIES = wordTable<'full' | 'street' | 'hidden'>({
  full: 'full',
  street: 'street',
  hidden: 'hidden',
});
export const FLOORS = wordTable<number | 'between'>({ bj: 0, en: 'between', ss: -1, st: -1 });

/** Words that replace an energy class. */
export const ENERGY_WORDS = wordTable<EnergyState | 'unknown'>({
  ...{ exempt: 'non-soumis', inProcess: 'en-cours', unknown: 'unknown' },
});
/** The Italian laws under which certificates were issued. */
export const LAWS = wordTable<{ isOld: boolean; name: string }>({
  'dl-192_2005': { isOld: true, name: 'D.Lgs. 192/2005' },
  'legge-90_2013': { isOld: false, name: 'Legge 90/2013' },
});

export interface PropertyType {
  code: TypeCode;
  title: TitleWord;
}

function type(code: TypeCode, title: TitleWord, ...words: readonly string[]): readonly [string, PropertyType][] {
  const meaning = { code, title };
  return words.map((word) => [word, meaning]);
}

const COUNTRY_HOUSES =
  'rustic rustic_house rustic_village rustic_rural rustic_casalecascina rustic_caseron rustic_cortijo rustic_masia ' +
  'rustic_masseria rustic_moinho rustic_montealentejano rustic_quinta rustic_solar rustic_terrera rustic_torre rustic_trullo';

/** `featuresType`. */
export const TYPES = wordTable<PropertyType>(
  Object.fromEntries([
    ...type('appartement', 'Appartement', 'flat'),
    ...type('appartement', 'Chambre en colocation', 'room_shared_flat', 'room_shared_chalet'),
    ...type('maison', 'Maison', 'house', 'house_independent'),
    ...type('maison', 'Étage de maison', 'house_andar_moradia'),
    ...type('maison', 'Maison jumelée', 'house_semidetached'),
    ...type('maison', 'Maison mitoyenne', 'house_terraced'),
    ...type('maison', 'Villa', 'house_villa'),
    ...type('maison', 'Maison de campagne', ...COUNTRY_HOUSES.split(' ')),
    ...type('maison', 'Chalet', 'rustic_baita'),
    ...type('chateau', 'Château', 'rustic_castle', 'rustic_palace'),
    ...type('terrain', 'Terrain', 'land', 'land_countrybuildable', 'land_countrynonbuildable'),
    ...type('terrain', 'Terrain à bâtir', 'land_urban'),
    ...type('parking', 'Garage', 'garage'),
    ...type('local', 'Débarras', 'storage'),
    ...type('bureau', 'Bureau', 'office'),
    ...type('immeuble', 'Immeuble', 'building'),
    ...type('local', 'Local commercial', 'premises', 'premises_commercial'),
    ...type('local', 'Local industriel', 'premises_industrial'),
  ]),
);

/** `featuresNewDevelopmentType`, of a development whose units are not listed. */
export const DEVELOPMENT_TYPES = wordTable<PropertyType>(
  Object.fromEntries([
    ...type('immeuble', 'Programme neuf', 'new_building'),
    ...type('immeuble', 'Immeuble rénové', 'restored_building'),
    ...type('maison', 'Programme de maisons', 'house'),
    ...type('autre', 'Programme neuf', 'mixed_promos'),
  ]),
);

/** `featuresConservation`, in French. */
export const CONSERVATIONS = wordTable<{ etat: string; isNew?: true }>({
  good: { etat: 'Bon état' },
  toRestore: { etat: 'À rénover' },
  fully_reformed: { etat: 'Entièrement rénové' },
  new: { etat: 'Neuf', isNew: true },
  new_development_in_construction: { etat: 'En construction', isNew: true },
  new_development_finished: { etat: 'Neuf', isNew: true },
});

export const OCCUPATIONS = wordTable<{ isLet?: boolean; caracteristique?: string }>({
  free: { isLet: false },
  tenanted: { isLet: true },
  illegally_occupied: { caracteristique: 'Occupé illégalement' },
  bare_ownership: { caracteristique: 'Nue-propriété' },
});

/** `featuresHeatingType`: the kind of heating and its fuel. `noHeating` has neither. */
export const HEATINGS = wordTable<{ type?: string; energie?: string }>({
  centralGas: { type: 'Collectif', energie: 'Gaz' },
  centralFuelOil: { type: 'Collectif', energie: 'Fioul' },
  centralOther: { type: 'Collectif' },
  individualGas: { type: 'Individuel', energie: 'Gaz' },
  individualPropaneButane: { type: 'Individuel', energie: 'Propane ou butane' },
  individualElectric: { type: 'Individuel', energie: 'Électricité' },
  individualAirConditioningHeatPump: { type: 'Individuel', energie: 'Pompe à chaleur' },
  individualOther: { type: 'Individuel' },
  noHeating: {},
});

/** `featuresConditionedAirType`. A preparation for air conditioning does not count as air conditioning. */
export const COOLINGS = wordTable<boolean | 'prepared'>({
  ...{ notAvailable: false, cold: true, 'cold/heat': true, preInstallation: 'prepared' },
});

/** `featuresParkingType` and `featuresGarageCapacityType`. The word for an unknown value is empty. */
export const PARKINGS = wordTable<string>({
  ...{
    unknown: '',
    depot: 'Box',
    parking_space: 'Place de parking',
    motorcycle: 'Moto',
    car_compact: 'Petite voiture',
  },
  ...{ car_sedan: 'Berline', car_and_motorcycle: 'Voiture et moto', two_cars_and_more: 'Deux voitures ou plus' },
});

/** The subject of a picture, in French. */
export const LABELS = wordTable<string>({
  ...{ appraisalplan: 'Plan d’expertise', plan: 'Plan', energycertificate: 'Certificat énergétique', unknown: '' },
  ...{
    archive: 'Archives',
    atmosphere: 'Ambiance',
    balcony: 'Balcon',
    basement: 'Sous-sol',
    bathroom: 'Salle de bain',
  },
  ...{ bedroom: 'Chambre', buildingwork: 'Chantier', cellar: 'Cave', communalareas: 'Parties communes' },
  ...{ corridor: 'Couloir', details: 'Détails', dining_room: 'Salle à manger', facade: 'Façade', garage: 'Garage' },
  ...{ garden: 'Jardin', gateway: 'Portail', hall: 'Entrée', kitchen: 'Cuisine', land: 'Terrain', lifts: 'Ascenseurs' },
  ...{ living: 'Séjour', loft: 'Loft', mates: 'Colocataires', meeting_room: 'Salle de réunion', office: 'Bureau' },
  ...{ open_plan: 'Plateau ouvert', patio: 'Patio', penthouse: 'Penthouse', pool: 'Piscine', porch: 'Porche' },
  ...{
    pressphoto: 'Photo de presse',
    reception: 'Accueil',
    room: 'Pièce',
    shop_window: 'Vitrine',
    staircase: 'Escalier',
  },
  ...{
    storage: 'Débarras',
    storage_space: 'Rangement',
    studio: 'Studio',
    surroundings: 'Environs',
    terrace: 'Terrasse',
  },
  ...{ views: 'Vue', waitingroom: 'Salle d’attente', walk_in_wardrobe: 'Dressing' },
});

/** A garden that is shared with the neighbours does not belong to the property. */
export const GARDENS = wordTable<'own' | 'shared'>({ private: 'own', community: 'shared' });

/** Where premises are. */
export const UBICATIONS = wordTable<string>({
  ...{ shopping: 'Centre commercial', street: 'Sur rue', mezzanine: 'Mezzanine', belowGround: 'Sous-sol' },
  ...{ on_top_floor: 'À l’étage', other: '', unknown: '' },
});
