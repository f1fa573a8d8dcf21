/** An enquiry of a visitor about a listing, or about none. It is personal: stored sealed, and never logged. */
export interface Lead {
  name: string;
  /** One of `email` and `phone` at least. */
  email?: string;
  phone?: string;
  message?: string;
  /** The page that the visitor wrote from. */
  pageUrl?: string;
  /** ISO 639-1: the language that the visitor reads. */
  langue?: string;
}

/** What a lead may hold, in characters. */
export const LEAD_LIMITS = { name: 200, email: 254, phone: 40, message: 5_000, pageUrl: 2_048, affId: 200 } as const;

/** Leads of one gateway that may wait at a time: more are refused, and kept by the site. */
export const MOST_WAITING_LEADS = 10_000;

/** PostgreSQL channel that says "a lead has come"; without a payload. */
export const LEAD_CHANNEL = 'passerelle_lead';
