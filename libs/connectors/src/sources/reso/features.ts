import type { JsonRecord } from '../../formats/json-records';
import { toFlag } from '../../kit/clean/fold-word';
import { scalarOf } from '../../kit/values';
import { valuesOf } from './lookups';
import { amount } from './offer';

const BALCONY = /^balcon/;
const TERRACE = /^(?:terrace|patio|deck|rooftopdeck)/;
const ELEVATOR = /^elevator|elevatorinstalled/;
const ACCESSIBLE = /^(?:accessibleentrance|accessibleapproachwithramp|wheelchairaccess|fullyaccessible)/;
/** Words in a list of features that name no feature. */
const NOTHING = /^(?:none|no|nopool|other|seeremarks|)$/;

export function hasBalcony(record: JsonRecord): true | undefined {
  return lists(record, ['PatioAndPorchFeatures', 'ExteriorFeatures'], BALCONY);
}

export function hasTerrace(record: JsonRecord): true | undefined {
  return lists(record, ['PatioAndPorchFeatures'], TERRACE);
}

export function hasElevator(record: JsonRecord): true | undefined {
  return lists(
    record,
    ['InteriorFeatures', 'BuildingFeatures', 'CommunityFeatures', 'AccessibilityFeatures', 'AssociationAmenities'],
    ELEVATOR,
  );
}

/** Only features with which a wheelchair gets into the property count. */
export function isAccessible(record: JsonRecord): true | undefined {
  return lists(record, ['AccessibilityFeatures'], ACCESSIBLE);
}

/** A private pool; a community pool does not count. */
export function hasPool(record: JsonRecord): boolean | undefined {
  const own = toFlag(scalarOf(record['PoolPrivateYN']));
  if (own !== undefined) return own;
  const features = valuesOf(record['PoolFeatures']).filter(
    (value) => !NOTHING.test(value) && !/community|association/.test(value),
  );
  return features.length > 0 ? true : undefined;
}

/** The answer is no only if every value says no. */
export function hasParking(record: JsonRecord): boolean | undefined {
  if (PARKING_COUNTS.some((field) => amount(record, field) !== undefined)) return true;
  const flags = PARKING_FLAGS.map((field) => toFlag(scalarOf(record[field]))).filter((flag) => flag !== undefined);
  return flags.length === 0 ? undefined : flags.includes(true);
}

const PARKING_FLAGS = ['GarageYN', 'CarportYN', 'OpenParkingYN', 'AttachedGarageYN'] as const;
const PARKING_COUNTS = ['ParkingTotal', 'GarageSpaces', 'CarportSpaces', 'CoveredSpaces', 'OpenParkingSpaces'] as const;

function lists(record: JsonRecord, fields: readonly string[], wanted: RegExp): true | undefined {
  return fields.some((field) => valuesOf(record[field]).some((value) => wanted.test(value))) || undefined;
}
