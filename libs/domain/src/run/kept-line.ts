/** A line that an ingestor has logged about a run, as it is kept with the run. It holds no secret. */
export interface KeptLine {
  /** ISO 8601, UTC. */
  at: string;
  level: 'debug' | 'info' | 'warn';
  /** One line. */
  text: string;
}

/** The newest lines of a run are kept: so many, of so many characters each, and of so many in all. */
export const KEPT_LINES = { most: 100, characters: 500, inAll: 16_384 };
