import type { Listing } from '@passerelle/domain';
import type { ExportContext } from './contracts';

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
