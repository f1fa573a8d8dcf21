import { type ArchiveFiles, isSameFile, type PhotoFile, type PhotoOutcome } from '@passerelle/connectors';
import type { ListingPhotos, PhotoRow, StoredPhotoRow } from '@passerelle/database';
import { photoUrl } from '@passerelle/media';

export function toPhotoRow({ name, folder, sizeBytes, crc32, outcome, isElsewhere = false }: PhotoFile): PhotoRow {
  const refusal = outcome.kind === 'refused' ? outcome.why : null;
  const stored = outcome.kind === 'stored' ? toStoredRow(outcome) : null;
  return { name, folder, sizeBytes, crc32, stored, refusal, isElsewhere };
}

export function takenFrom(stored: StoredPhotoRow, baseUrl: string): Extract<PhotoOutcome, { kind: 'stored' }> {
  const name = `${stored.token}.${stored.extension}`;
  const { width: largeur, height: hauteur, empreinte } = stored;
  return { kind: 'stored', name, photo: { url: photoUrl(baseUrl, name), largeur, hauteur, empreinte } };
}

/** Checks this many photos of a snapshot, so that not every photo needs a request to the store. */
const PROBES = 20;

/** Finds versions with changed photo files and, if a sample shows losses in the store, with lost photos. */
export async function findOutdated(
  photosOfCurrent: () => ReturnType<ListingPhotos['ofCurrent']>,
  files: ArchiveFiles,
  isLost: (stored: StoredPhotoRow) => Promise<boolean>,
): Promise<ReadonlySet<number>> {
  const outdated = new Set<number>();
  const probes: StoredPhotoRow[] = [];
  let seen = 0;
  for await (const batch of photosOfCurrent()) {
    for (const row of batch) {
      if (!isSameFile(files, row)) outdated.add(row.versionId);
      if (row.stored === null) continue;
      // Reservoir sampling: each photo has the same chance.
      const place = seen < PROBES ? seen : Math.floor(Math.random() * (seen + 1));
      if (place < PROBES) probes[place] = row.stored;
      seen += 1;
    }
  }
  if (!(await Promise.all(probes.map(isLost))).includes(true)) return outdated;
  for await (const batch of photosOfCurrent()) {
    for (const { versionId, stored } of batch) if (stored !== null && (await isLost(stored))) outdated.add(versionId);
  }
  return outdated;
}

function toStoredRow({ name, photo }: Extract<PhotoOutcome, { kind: 'stored' }>): StoredPhotoRow {
  const [token = '', extension = ''] = name.split('.');
  return { token, extension, width: photo.largeur ?? 0, height: photo.hauteur ?? 0, empreinte: photo.empreinte };
}
