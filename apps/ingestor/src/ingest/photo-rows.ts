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

/** The versions of the current snapshot one of whose photos is another file in this archive, or gone. */
export async function findOutdated(
  photos: ReturnType<ListingPhotos['ofCurrent']>,
  files: ArchiveFiles,
): Promise<ReadonlySet<number>> {
  const outdated = new Set<number>();
  for await (const batch of photos) {
    for (const row of batch) if (!isSameFile(files, row)) outdated.add(row.versionId);
  }
  return outdated;
}

function toStoredRow({ name, photo }: Extract<TakenPhoto, { kind: 'stored' }>): StoredPhotoRow {
  const [token = '', extension = ''] = name.split('.');
  return { token, extension, width: photo.largeur ?? 0, height: photo.hauteur ?? 0, empreinte: photo.empreinte };
}
