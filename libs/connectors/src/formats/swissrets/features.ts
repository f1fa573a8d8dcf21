import type { XmlRecord } from '../xml-records';
import type { LinkSource } from '../../kit/clean/attachments';
import { features, namesOfYes, wordsIn, yesInWords } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import * as v from '../../kit/verbs';
import { attachmentsOf } from './localizations';

const of = (names: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(names).map(([name, word]) => [`characteristics.${name}`, word]));

/** Characteristics without a listing field, in the words of the schema's documentation. */
const FLAGS = of({
  ...{ hasAttic: 'attic', hasCableTv: 'cable TV', hasChargingStation: 'charging station', hasDishwasher: 'dishwasher' },
  ...{ hasEvChargingStation: 'EV charging station', hasGardenShed: 'garden shed' },
  // The second name is that of the JSON schema.
  ...{ hasFiberOptics: 'fiber optics', hasFiberOptic: 'fiber optics' },
  ...{ hasFlatSharingCommunity: 'flat sharing community', hasForeignQuota: 'foreign quota', hasRamp: 'ramp' },
  ...{
    hasLiftingPlatform: 'lifting platform',
    hasMultimediaWiring: 'multimedia wiring',
    hasPhotovoltaic: 'photovoltaic',
  },
  ...{ hasPlayground: 'playground', hasSteamer: 'steamer', hasStoreRoom: 'store room', hasSupplyGas: 'gas supply' },
  ...{ hasSupplyPower: 'power supply', hasSupplySewage: 'sewage supply', hasSupplyWater: 'water supply' },
  ...{ hasThermalSolarCollector: 'thermal solar collector', hasTiledStove: 'tiled stove', isQuiet: 'quiet' },
  ...{ hasTumbleDryer: 'tumble dryer', hasWashingMachine: 'washing machine', isChildFriendly: 'child friendly' },
  ...{
    isCornerHouse: 'corner house',
    isMiddleHouse: 'middle house',
    isSecondaryResidenceAllowed: 'secondary residence',
  },
  ...{ isSmokingAllowed: 'smoking allowed', isSunny: 'sunny', isUnderRoof: 'under roof', onHillside: 'on hillside' },
  ...{ onHillsideSouth: 'on southern hillside', onEvenGround: 'on even ground' },
});
const flags = namesOfYes(FLAGS);
export const FEATURES = features<XmlRecord>(flags, ...Object.keys(FLAGS));

export const VIEW = yesInWords(
  of({ hasLakeView: 'lake view', hasMountainView: 'mountain view', hasNiceView: 'nice view' }),
);

export const CONDITION = yesInWords(
  of({
    ...{ isDilapidated: 'dilapidated', isGutted: 'gutted', isInNeedOfRenovation: 'in need of renovation' },
    ...{ isInNeedOfRenovationPartially: 'partially in need of renovation', isLikeNew: 'like new' },
    ...{ isModernized: 'modernized', isOldBuilding: 'old building', isRefurbished: 'refurbished' },
    ...{ isRefurbishedPartially: 'partially refurbished', isShellConstruction: 'shell construction' },
    ...{ isWellTended: 'well tended', isFirstOccupancy: 'first occupancy', isProjection: 'projection' },
  }),
);

export const PARKING_TYPE = yesInWords(
  of({
    ...{ hasParking: 'parking', hasGarage: 'garage', hasGarageDouble: 'double garage', hasCarPort: 'car port' },
    ...{ hasGarageUnderground: 'underground garage', hasCarPortDouble: 'double car port' },
  }),
);

const toilets = v.integer('characteristics.numberOfToilets');
const guestToilets = v.integer('characteristics.numberOfToiletsGuest');

/** The sum of toilets and guest toilets, which the format counts separately. */
export function toiletsOf(record: XmlRecord, context: RecordContext): number | undefined {
  const sum = (toilets.read(record, context) ?? 0) + (guestToilets.read(record, context) ?? 0);
  return sum === 0 ? undefined : sum;
}

export const HEATING_TYPE = wordsIn('heating.distribution');
export const HEAT_SOURCE = wordsIn('heating.generation');

export const plansOf = (record: XmlRecord, context: RecordContext): LinkSource[] =>
  attachmentsOf('plan', record, context);
export const documentsOf = (record: XmlRecord, context: RecordContext): LinkSource[] =>
  attachmentsOf('document', record, context);
