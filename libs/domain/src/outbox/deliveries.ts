/**
 * Deliveries to outside systems: messages to sites, enquiries to agencies, results to sources, news to operators,
 * weekly letters to agencies, adverts to portals. Edits of gateways go to an ingestor.
 */
export const DELIVERY_KINDS = ['webhook', 'lead', 'feedback', 'notification', 'digest', 'edit', 'export'] as const;
export type DeliveryKind = (typeof DELIVERY_KINDS)[number];

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Pauses between the ten attempts of a webhook message: a little more than three days in total. */
export const WEBHOOK_PAUSES_MS: readonly number[] = [
  5 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  20 * HOUR_MS,
  31.5 * HOUR_MS,
];
/** An endpoint that has answered only with failures for this time is disabled. */
export const WEBHOOK_FAILING_MS = 72 * HOUR_MS;

/** Pauses for deliveries that are repeated until they succeed; the last pause repeats. */
export const ENDLESS_PAUSES_MS: readonly number[] = [0.5, 1, 2, 4, 8, 16, 32, 60].map((minutes) => minutes * MINUTE_MS);

/** The longest pause that a receiver may request. */
const LONGEST_ASKED_MS = 24 * HOUR_MS;
/** Jitter only makes pauses longer, so that all attempts together take at least the sum of the pauses. */
const JITTER = 0.1;

/** @param failures consecutive, including this failure. @param askedMs `Retry-After`. @param random from 0 to 1. */
export function pauseBeforeRetryMs(
  pausesMs: readonly number[],
  failures: number,
  askedMs: number | null,
  random: number,
): number {
  const index = Math.min(Math.max(failures, 1), pausesMs.length) - 1;
  const pauseMs = (pausesMs[index] ?? 0) * (1 + JITTER * random);
  return Math.max(pauseMs, Math.min(askedMs ?? 0, LONGEST_ASKED_MS));
}
