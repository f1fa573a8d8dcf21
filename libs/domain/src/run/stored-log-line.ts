/** A log line of an ingestor about a run, kept with the run. It holds no secret. */
export interface StoredLogLine {
  /** ISO 8601, UTC. */
  at: string;
  level: 'debug' | 'info' | 'warn';
  /** One line. */
  text: string;
}

/** Only the newest lines of a run are kept: limits of their number, of the characters of each, and of all together. */
export const STORED_LOG_LINES = { most: 100, characters: 500, inAll: 16_384 };
