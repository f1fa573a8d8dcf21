import { FirstSchema1763683200000 } from './0001-first-schema';

/** Every migration, in order. */
export const MIGRATIONS = [FirstSchema1763683200000];
