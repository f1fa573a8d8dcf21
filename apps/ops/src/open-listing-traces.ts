import { type OpenListingTraces, openListingTraces } from '@passerelle/database/operators';
import { connectionName } from '@passerelle/settings';

/** @throws the driver's error when the database cannot be reached. */
export function listingTracesAt(url: string): Promise<OpenListingTraces> {
  return openListingTraces({ url, applicationName: connectionName('ops'), poolSize: 1 });
}
