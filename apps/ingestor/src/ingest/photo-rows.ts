import { type ArchiveFiles, isSameFile, type PhotoFile, type TakenPhoto } from '@passerelle/connectors';
import type { ListingPhotos, PhotoRow, StoredPhotoRow } from '@passerelle/database';
import { photoUrl } from '@passerelle/media';

/** What the database keeps of a photo that came as a file. */
export function toPhotoRow({ name, folder, sizeBytes, crc32, taken, isElsewhere = false }: PhotoFile): PhotoRow {
  const refusal = taken.kind === 'refused' ? taken.why : null;
  const stored = taken.kind === 'stored' ? toStoredRow(taken) : null;
  return { name, folder, sizeBytes, crc32, stored, refusal, isElsewhere };
}

/** The photo of a row, as if it had just been taken. */
export function takenFrom(stored: StoredPhotoRow, baseUrl: string): Extract<TakenPhoto, { kind: 'stored' }> {
  const name = `${stored.token}.${stored.extension}`;
  const { width: largeur, height: hauteur, empreinte } = stored;
  return { kind: 'stored', name, photo: { url: photoUrl(baseUrl, name), largeur, hauteur, empreinte } };
}

/** Photos are looked for in the store one in so many, so that it need not be asked for each. */
const PROBES = 20;

/**
 * The versions of the current snapshot one of whose photos is another file in this archive, or gone. Should a few photos turn
 * out to be no longer in the store, also those whose photos it has lost: they are taken in again.
 */
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
      // Each has the same chance to be one of them.
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

function toStoredRow({ name, photo }: Extract<TakenPhoto, { kind: 'stored' }>): StoredPhotoRow {
  const [token = '', extension = ''] = name.split('.');
  return { token, extension, width: photo.largeur ?? 0, height: photo.hauteur ?? 0, empreinte: photo.empreinte };
}
