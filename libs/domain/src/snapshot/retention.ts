/** How long things are kept. docs/database.md has the same, made from here. */
export const RETENTION = {
  /** Listings of a replaced snapshot: at least so long, and at least so many snapshots deep. */
  snapshots: { hours: 72, count: 5 },
  /** Tokens and changes of snapshots whose listings are gone; runs, with their rejections and warnings. */
  history: { days: 90 },
  /** Runs that changed nothing: the newest of a gateway so many, and one line a day beyond. */
  unchangedRuns: { count: 50 },
  /** Reports: no longer, and of one gateway no more. */
  reports: { days: 90, count: 1_000 },
  /** Which reports were taken in that came while the database did not answer: they are in the bucket no more. */
  takenReports: { days: 1 },
  /** The longest that WALK_SECONDS may be: the snapshot of a walk must still be readable at its end. */
  walks: { hours: 12 },
  /** Photos that came as files and that no kept snapshot names. */
  photos: { days: 7 },
  /** Records that were asked for one by one, and that no run has published. */
  details: { days: 7 },
  /** What was sent to webhooks, and what they answered. */
  webhooks: { days: 30 },
  /** Leads that have been delivered; one that waits is kept. */
  leads: { days: 30 },
  /** Notices to sources that were delivered. */
  feedback: { days: 30 },
  /** Networks from which operators have signed in: no longer, and of one operator no more. */
  signInNetworks: { days: 180, count: 20 },
  /** What operators changed. */
  audit: { days: 730 },
} as const;
