import { type OpenListingTraces, openListingTraces } from '@passerelle/database/operators';

/** @throws what the driver says when the database cannot be reached. */
export function listingTracesAt(url: string): Promise<OpenListingTraces> {
  return openListingTraces({ url, applicationName: 'passerelle-ops', poolSize: 1 });
}
