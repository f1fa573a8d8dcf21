/** Contains personal data: it is stored sealed, and never logged. */
export interface Lead {
  name: string;
  /** At least one of `email` and `phone` is set. */
  email?: string;
  phone?: string;
  message?: string;
  pageUrl?: string;
  /** ISO 639-1: the visitor's language. */
  langue?: string;
}

/** Maximum lengths, in characters. */
export const LEAD_LIMITS = { name: 200, email: 254, phone: 40, message: 5_000, pageUrl: 2_048, affId: 200 } as const;

/** The maximum number of waiting leads per gateway. Further leads are refused and remain with the site. */
export const MOST_WAITING_LEADS = 10_000;

/** PostgreSQL channel that announces a new lead; without a payload. */
export const LEAD_CHANNEL = 'passerelle_lead';
