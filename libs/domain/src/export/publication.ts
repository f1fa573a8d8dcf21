import type { PublicationReason, PublicationState } from './placement';

/** One listing at one placement, as an export keeps it. */
export interface PublicationRow {
  affId: string;
  advertId: string;
  state: PublicationState;
  /** The hash of the advert that was sent last; null before the first one. */
  hash: string | null;
  versionId: number | null;
  portalId: string | null;
  intent: 'create' | 'replace' | 'remove' | null;
  intentHash: string | null;
  reasonCode: PublicationReason | null;
  reason: string | null;
  url: string | null;
  tries: number;
  /** Milliseconds since 1970. */
  sentAtMs: number | null;
  askedAtMs: number | null;
}

/** With what operators decide; an export reads it and does not write it. */
export interface KnownPublication extends PublicationRow {
  isWithdrawn: boolean;
  removal: 'held' | 'approved' | null;
  /** Since when a suspended process may still have sent, or may yet send, a request about it; ms since 1970. */
  doubtAtMs: number | null;
}
