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
  /** The portal's id of an advert that a process wrote after another one had taken its export over. */
  lateId: string | null;
}
