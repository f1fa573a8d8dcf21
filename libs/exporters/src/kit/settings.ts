import type { Listing } from '@passerelle/domain';
import type { ExportContext } from './contracts';

/** The placement's value of a setting with a closed list; the first value when it is not set or not in the list. */
export function choiceOf<V extends string>(
  { placement }: ExportContext,
  name: string,
  values: readonly [V, ...V[]],
): V {
  const given = placement.settings[name];
  return values.find((value) => value === given) ?? values[0];
}

/** A setting that is free text; undefined when it is empty. */
export function settingOf({ placement }: ExportContext, name: string): string | undefined {
  return placement.settings[name]?.trim() || undefined;
}

export interface AdvertContact {
  name: string | undefined;
  email: string | undefined;
  phone: string | undefined;
}

/** The person who answers enquiries: the placement's contact, where it is set, else the agent of the listing. */
export function contactOf(listing: Listing, { placement: { contact } }: ExportContext): AdvertContact {
  return {
    name: contact.name ?? listing.negoNom ?? listing.agenceNom,
    email: contact.email ?? listing.negoEmail,
    phone: contact.phone ?? listing.negoTel ?? listing.agenceTel,
  };
}
