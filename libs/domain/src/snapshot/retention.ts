/** How long data is kept. The table in docs/database.md is generated from here. */
export const RETENTION = {
  /** Listings of a replaced snapshot: minimum age, and minimum number of snapshots. */
  snapshots: { hours: 72, count: 5 },
  /** Tokens and changes of snapshots whose listings are deleted; runs, with their rejections and warnings. */
  history: { days: 90 },
  /** Unchanged runs: this many of the newest per gateway, and beyond these one line per day. */
  unchangedRuns: { count: 50 },
  /** Reports: maximum age, and maximum number per gateway. */
  reports: { days: 90, count: 1_000 },
  /** Ids of reports that arrived while the database was away: by then the bucket no longer has them. */
  takenReports: { days: 1 },
  /** The longest that WALK_SECONDS may be: the snapshot of a pagination session must still be readable at its end. */
  walks: { hours: 12 },
  /** Photos that came as files and that no kept snapshot names. */
  photos: { days: 7 },
  /** Records that were requested one by one, and that no run has published. */
  details: { days: 7 },
  /** Messages to webhooks, and their answers. */
  webhooks: { days: 30 },
  /** Delivered leads; a waiting lead is kept. */
  leads: { days: 30 },
  /** Notices to sources that were delivered. */
  feedback: { days: 30 },
  /** Networks from which operators have signed in: maximum age, and maximum number per operator. */
  signInNetworks: { days: 180, count: 20 },
  /** Changes made by operators. */
  audit: { days: 730 },
} as const;
