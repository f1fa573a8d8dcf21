import { randomUUID } from 'node:crypto';
import type { SecretBox } from '@passerelle/domain';
import type { Bucket } from '../store/bucket';
import { REPORTS_FOLDER } from './names';

/** A report that came while the database did not answer. */
export interface KeptReport<Report> {
  /** By which it is taken in once. */
  id: string;
  gatewayId: number;
  /** ISO 8601 in UTC. */
  receivedAt: string;
  report: Report;
}

const KIND = 'report';

/** Puts a report aside. @throws BucketError: then it is not kept */
export async function keepReport<Report>(
  bucket: Bucket,
  box: SecretBox,
  kept: Omit<KeptReport<Report>, 'id'>,
): Promise<void> {
  const id = randomUUID();
  // Their names sort by the time at which they came.
  await bucket.put(
    `${REPORTS_FOLDER}${kept.receivedAt}-${id}`,
    box.seal(JSON.stringify({ kind: KIND, report: { ...kept, id } })),
  );
}

/**
 * Takes in every report that was put aside, in the order in which they came. One that somebody else wrote is left out.
 *
 * @param take returns once the report is stored, or was stored before
 * @returns how many were taken in, and how many were not ours
 */
export async function takeReports<Report>(
  bucket: Bucket,
  box: SecretBox,
  take: (kept: KeptReport<Report>) => Promise<void>,
): Promise<{ taken: number; refused: number }> {
  const counts = { taken: 0, refused: 0 };
  for await (const { name } of bucket.list(REPORTS_FOLDER)) {
    const sealed = await bucket.readWhole(name);
    if (sealed === null) continue;
    const kept = opened<Report>(box, sealed);
    if (kept === null) {
      counts.refused += 1;
      continue;
    }
    await take(kept);
    await bucket.remove(name);
    counts.taken += 1;
  }
  return counts;
}

function opened<Report>(box: SecretBox, sealed: Buffer): KeptReport<Report> | null {
  try {
    const { kind, report } = JSON.parse(box.open(sealed)) as { kind: string; report: KeptReport<Report> };
    return kind === KIND ? report : null;
  } catch {
    return null;
  }
}
