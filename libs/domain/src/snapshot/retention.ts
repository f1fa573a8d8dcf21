/** How long data is kept. The table in docs/database.md is generated from this object. */
export const RETENTION = {
  /** Listings of a replaced snapshot: the minimum age, and the minimum number of snapshots. */
  snapshots: { hours: 72, count: 5 },
  /** Tokens and changes of snapshots whose listings are deleted; runs, with their rejections and warnings. */
  history: { days: 90 },
  /** Unchanged runs: this many of the newest runs per gateway, and older ones as one row per day. */
  unchangedRuns: { count: 50 },
  /** Reports: the maximum age, and the maximum number per gateway. */
  reports: { days: 90, count: 1_000 },
  /** Ids of reports that arrived while the database was down; after this time the bucket has no such reports. */
  takenReports: { days: 1 },
  /** The maximum of WALK_SECONDS: the snapshot of a pagination session must still be readable at the session's end. */
  walks: { hours: 12 },
  /** Photos that arrived as files, after the last kept snapshot that refers to them. */
  photos: { days: 7 },
  /** Records that were requested individually and that no run has published. */
  details: { days: 7 },
  /** Messages to webhooks, with the responses. */
  webhooks: { days: 30 },
  /** Delivered leads; a waiting lead is kept until it is delivered. */
  leads: { days: 30 },
  /** Delivered feedback to sources. */
  feedback: { days: 30 },
  notifications: { days: 30 },
  /** Ended exports, and adverts that a portal removed. */
  exports: { days: 30 },
  removedAdverts: { days: 90 },
  /** Networks from which operators have signed in: the maximum age, and the maximum number per operator. */
  signInNetworks: { days: 180, count: 20 },
  /** Audit records of changes by operators. */
  audit: { days: 730 },
} as const;
