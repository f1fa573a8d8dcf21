import type { Listing } from '@passerelle/domain';

export interface ExportPosition {
  latitude: number;
  longitude: number;
  /** False for two decimals, which show the district and not the door. */
  isExact: boolean;
}

const DISTRICT_DECIMALS = 100;

/** A listing without an address must not show its door: its position then has at most two decimals. */
export function positionOf({ latitude, longitude, adresse }: Listing): ExportPosition | undefined {
  if (latitude === undefined || longitude === undefined) return undefined;
  const rounded = (degrees: number): number => Math.round(degrees * DISTRICT_DECIMALS) / DISTRICT_DECIMALS;
  const district = { latitude: rounded(latitude), longitude: rounded(longitude) };
  const isCoarse = district.latitude === latitude && district.longitude === longitude;
  return adresse === undefined || isCoarse ? { ...district, isExact: false } : { latitude, longitude, isExact: true };
}
