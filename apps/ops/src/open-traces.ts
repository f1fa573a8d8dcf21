import { type OpenTraces, openTraces } from '@passerelle/database/operators';

/** @throws what the driver says when the database cannot be reached. */
export async function openListingTraces(url: string): Promise<OpenTraces> {
  return openTraces({ url, applicationName: 'passerelle-ops', poolSize: 1 });
}
