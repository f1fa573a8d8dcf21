/** A log line of an ingestor about a run, stored with the run. It contains no secret. */
export interface StoredLogLine {
  /** ISO 8601, UTC. */
  at: string;
  level: 'debug' | 'info' | 'warn';
  /** One line. */
  text: string;
}

/** Limits per run: number of lines, characters of a line, characters of all lines. Only the newest lines are kept. */
export const STORED_LOG_LINES = { most: 100, characters: 500, inAll: 16_384 };
