/** An enquiry of a visitor about a listing, or about none. It is personal data: stored sealed, and never logged. */
export interface Lead {
  name: string;
  /** At least one of `email` and `phone` is set. */
  email?: string;
  phone?: string;
  message?: string;
  /** The page on which the visitor wrote it. */
  pageUrl?: string;
  /** ISO 639-1: the language that the visitor reads. */
  langue?: string;
}

/** Maximum lengths, in characters. */
export const LEAD_LIMITS = { name: 200, email: 254, phone: 40, message: 5_000, pageUrl: 2_048, affId: 200 } as const;

/** Leads of one gateway that may wait at a time. Further leads are refused, and the site keeps them. */
export const MOST_WAITING_LEADS = 10_000;

/** PostgreSQL channel that says "a lead has come"; without a payload. */
export const LEAD_CHANNEL = 'passerelle_lead';
