import type { EnergyScaleName, TypeCode, TypeTransaction } from '@passerelle/domain';

export const OFFERS: readonly TypeTransaction[] = ['vente', 'location', 'cession-de-bail'];

/** `featuresType`. A castle and a mansion are the nearest word that all countries have. */
export const TYPES: Readonly<Partial<Record<TypeCode, string>>> = {
  appartement: 'flat',
  maison: 'house',
  terrain: 'land',
  parking: 'garage',
  immeuble: 'building',
  bureau: 'office',
  local: 'premises',
  boutique: 'premises_commercial',
  chateau: 'rustic_castle',
  'hotel-particulier': 'house',
  loft: 'flat',
  fonds: 'premises',
};
export const SUPPORTED_TYPES = Object.keys(TYPES) as readonly TypeCode[];
export const HOMES: ReadonlySet<TypeCode | undefined> = new Set<TypeCode>([
  ...(['appartement', 'maison', 'chateau', 'hotel-particulier', 'loft'] as const),
]);

/** The countries of `addressCountry`; `customerCountry` has the first three. */
export const COUNTRIES: Readonly<Record<string, string>> = {
  ...{ ES: 'Spain', IT: 'Italy', PT: 'Portugal', AD: 'Andorra', FR: 'France', CH: 'Switzerland', SM: 'San Marino' },
};
export const CUSTOMER_COUNTRIES = ['Spain', 'Italy', 'Portugal'] as const;

/** `descriptionLanguage`. */
export const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ es: 'spanish', it: 'italian', pt: 'portuguese', en: 'english', de: 'german', fr: 'french', ru: 'russian' },
  ...{
    zh: 'chinese',
    ca: 'catalan',
    fi: 'finnish',
    nl: 'dutch',
    pl: 'polish',
    ro: 'romanian',
    sv: 'swedish',
    da: 'danish',
  },
};

/** Classes that the format has, on the scales of the countries that it serves. */
export const CLASSES: ReadonlySet<string> = new Set('A A+ A1 A2 A3 A4 B B- C D E F G'.split(' '));
export const SCALES: ReadonlySet<EnergyScaleName | undefined> = new Set<EnergyScaleName>([
  'ES-CEE',
  'IT-APE',
  'PT-SCE',
  'FR-DPE',
  'CH-GEAK',
]);

/** Features with exactly these names in French, as our connector of the format reads them. */
export const FLAGS: Readonly<Record<string, string>> = {
  ...{ Gardien: 'Doorman', Duplex: 'Duplex', Penthouse: 'Penthouse', Studio: 'Studio', Débarras: 'Storage' },
  ...{ Placards: 'Wardrobes', 'Porte blindée': 'SecurityDoor', Alarme: 'SecurityAlarm' },
};

/** The members that the schema has for each kind of property, without their `features`. */
const COMMON =
  'AreaConstructed AreaUsable BathroomNumber BuiltYear ConditionedAir Conservation EnergyCertificateRating EnergyCertificatePerformance';
const MEMBERS: readonly (readonly [TypeCode[], string])[] = [
  [
    ['appartement', 'maison', 'chateau', 'hotel-particulier', 'loft'],
    `${COMMON} AreaPlot Balcony BedroomNumber Chimney Doorman Duplex EquippedKitchen EquippedWithFurniture FloorsBuilding Garden ` +
      'HandicapAdaptedAccess LiftAvailable OrientationNorth OrientationSouth OrientationWest OrientationEast ParkingAvailable ' +
      'Penthouse PetsAllowed Pool Rooms Storage Studio Terrace Wardrobes HeatingType',
  ],
  [['terrain'], 'AreaPlot'],
  [['parking'], 'AreaConstructed LiftAvailable SecurityAlarm'],
  [
    ['immeuble'],
    'AreaConstructed BuiltYear Conservation EnergyCertificateRating EnergyCertificatePerformance FloorsBuilding ParkingSpacesNumber PropertyTenants',
  ],
  [
    ['bureau'],
    `${COMMON} Doorman EquippedKitchen FloorsBuilding OrientationNorth OrientationSouth OrientationWest OrientationEast ` +
      'ParkingSpacesNumber SecurityAlarm SecurityDoor Storage',
  ],
  [
    ['local', 'boutique', 'fonds'],
    `${COMMON.replace(' BuiltYear', '')} AreaPlot EquippedKitchen FloorsBuilding Rooms SecurityAlarm SecurityDoor Storage`,
  ],
];
export const MEMBERS_BY_TYPE: ReadonlyMap<TypeCode, ReadonlySet<string>> = new Map(
  MEMBERS.flatMap(([types, names]) =>
    types.map((type): [TypeCode, ReadonlySet<string>] => [type, new Set(names.split(' '))]),
  ),
);
