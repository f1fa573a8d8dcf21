import type { Lead, Listing } from '@passerelle/domain';
import type { SourceConfig, SourceRequest } from './source-client';

export interface OutgoingLead extends Lead {
  id: string;
  /** ISO 8601 in UTC. */
  receivedAt: string;
  affId?: string;
  /** The part of the source that the property belongs to, as in the mapping's `scope`. */
  scope?: string;
  /** The known facts about the property; empty for an enquiry without a property, or about one that is gone. */
  listing: Partial<Listing>;
}

export interface LeadEmail {
  subject: string;
  text: string;
  attachment?: { name: string; type: string; content: string };
}

/** How a lead reaches a CRM. */
export type LeadVerb =
  /** By e-mail, to the address that the gateway's `lead-email` names, else to the listing's agent. */
  | { kind: 'email'; compose(lead: OutgoingLead): LeadEmail }
  /** By e-mail instead when the gateway has a `lead-email`, or when the API does not accept the lead. */
  | {
      kind: 'api';
      /** @throws FeedError when the lead or the credentials are not sufficient. */
      request(lead: OutgoingLead, source: SourceConfig, now: Date): SourceRequest;
      /** Checks whether a 2xx answer says that the lead was accepted. @throws FeedError */
      confirm(answer: string, source: SourceConfig): void;
    };

export const LEAD_SETTINGS: Readonly<Record<string, string>> = {
  'lead-email':
    'Address to which enquiries are sent, where the CRM receives e-mails. Default: the agent of the listing.',
  'digest-email':
    'Address of the agency for a letter each Monday: listings online, missing legal statements, rejected records. Default none.',
};

interface Labels {
  subject: string;
  reference: string;
  property: string;
  name: string;
  email: string;
  phone: string;
  page: string;
  message: string;
}

const LABELS: Readonly<Record<string, Labels>> = {
  fr: {
    ...{ subject: 'Demande de contact', reference: 'Référence', property: 'Bien', name: 'Nom', email: 'E-mail' },
    ...{ phone: 'Téléphone', page: 'Page', message: 'Message' },
  },
  en: {
    ...{ subject: 'Enquiry', reference: 'Reference', property: 'Property', name: 'Name', email: 'E-mail' },
    ...{ phone: 'Telephone', page: 'Page', message: 'Message' },
  },
  es: {
    ...{ subject: 'Solicitud de contacto', reference: 'Referencia', property: 'Inmueble', name: 'Nombre' },
    ...{ email: 'Correo electrónico', phone: 'Teléfono', page: 'Página', message: 'Mensaje' },
  },
  de: {
    ...{ subject: 'Anfrage', reference: 'Objektnummer', property: 'Objekt', name: 'Name', email: 'E-Mail' },
    ...{ phone: 'Telefon', page: 'Seite', message: 'Nachricht' },
  },
  nl: {
    ...{ subject: 'Contactaanvraag', reference: 'Referentie', property: 'Pand', name: 'Naam', email: 'E-mail' },
    ...{ phone: 'Telefoon', page: 'Pagina', message: 'Bericht' },
  },
  it: {
    ...{ subject: 'Richiesta di contatto', reference: 'Riferimento', property: 'Immobile', name: 'Nome' },
    ...{ email: 'E-mail', phone: 'Telefono', page: 'Pagina', message: 'Messaggio' },
  },
};
const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ FR: 'fr', LU: 'fr', MC: 'fr', ES: 'es', DE: 'de', AT: 'de', NL: 'nl', IT: 'it', GB: 'en', IE: 'en', US: 'en' },
};

export function referenceOf({ affId, listing }: OutgoingLead): string | undefined {
  return listing.affNum ?? affId;
}

/** Splits a visitor's name as CRMs store it: the last of several words is the family name. */
export function namesOf({ name }: Pick<OutgoingLead, 'name'>): { first?: string; last: string } {
  const words = name.split(/\s+/);
  return { ...(words.length > 1 && { first: words.slice(0, -1).join(' ') }), last: words.at(-1) ?? '' };
}

/** The property's number, for a CRM whose ids are numbers; undefined for an enquiry without a property. */
export function propertyNumberOf({ affId }: Pick<OutgoingLead, 'affId'>): number | undefined {
  return affId !== undefined && /^\d+$/.test(affId) ? Number(affId) : undefined;
}

/**
 * Writes one line per known fact, which a person can read and a CRM can parse, in the language of the listing or its
 * country.
 */
export function composePlain(lead: OutgoingLead): LeadEmail {
  const { listing } = lead;
  const words = LABELS[listing.langue ?? LANGUAGES[listing.pays ?? ''] ?? 'fr'] ?? LABELS['en']!;
  const reference = referenceOf(lead);
  const lines = [
    [words.reference, reference],
    [words.property, listing.intitule],
    [words.name, lead.name],
    [words.email, lead.email],
    [words.phone, lead.phone],
    [words.page, lead.pageUrl],
  ].filter(([, value]) => value !== undefined);
  return {
    subject: [words.subject, reference, listing.intitule].filter((part) => part !== undefined).join(' - '),
    text: `${lines.map(([label, value]) => `${label}: ${value}`).join('\n')}\n\n${words.message}:\n${lead.message ?? ''}\n`,
  };
}

export const PLAIN_LEAD: LeadVerb = { kind: 'email', compose: composePlain };
