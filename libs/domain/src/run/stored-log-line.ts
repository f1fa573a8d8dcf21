/** A log line of an ingestor about a run, stored with the run. It contains no secret. */
export interface StoredLogLine {
  /** ISO 8601, UTC. */
  at: string;
  level: 'debug' | 'info' | 'warn';
  /** One line. */
  text: string;
}

/** Only a run's newest lines are kept. Limits: their number, characters of each, and characters of all. */
export const STORED_LOG_LINES = { most: 100, characters: 500, inAll: 16_384 };
