import type { PoolClient } from 'pg';

export interface PhotoRow {
  /** Its name in the feed. */
  name: string;
  /** The folder of the records that refer to the photo. */
  folder: string;
  /** Size in the archive's directory; null without an archive, or when the next run must inspect it again. */
  sizeBytes: number | null;
  crc32: number | null;
  /** The stored file; null when the photo was refused or is missing. */
  stored: StoredPhotoRow | null;
  refusal: string | null;
  /** Whether the listing uses a URL instead of this photo. */
  isElsewhere: boolean;
}

export interface StoredPhotoRow {
  token: string;
  extension: string;
  width: number;
  height: number;
  empreinte: string;
}

/** The photos of one version, in the listing's order. */
export interface PhotosOfVersion {
  versionId: number;
  photos: readonly PhotoRow[];
}

export const PHOTO_ROW = `p.name, p.folder, p.size_bytes AS "sizeBytes", p.crc32, p.refusal, p.elsewhere AS "isElsewhere",
  CASE WHEN p.token IS NOT NULL THEN json_build_object('token', p.token, 'extension', p.extension, 'width', p.width,
    'height', p.height, 'empreinte', p.empreinte) END AS stored`;

export async function addPhotos(
  client: Pick<PoolClient, 'query'>,
  gatewayId: number,
  versions: readonly PhotosOfVersion[],
): Promise<void> {
  const rows = versions.flatMap(({ versionId, photos }) =>
    photos.map((photo, position) => ({ versionId, position, ...photo })),
  );
  if (rows.length === 0) return;
  await client.query({
    name: 'add-photos',
    text: `
      INSERT INTO listing_photo (gateway_id, version_id, position, name, folder, size_bytes, crc32, refusal,
                                 elsewhere, token, extension, width, height, empreinte)
      SELECT $1, * FROM unnest($2::bigint[], $3::int[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::text[],
                               $9::boolean[], $10::text[], $11::text[], $12::int[], $13::int[], $14::text[])`,
    values: [
      gatewayId,
      rows.map(({ versionId }) => versionId),
      rows.map(({ position }) => position),
      rows.map(({ name }) => name),
      rows.map(({ folder }) => folder),
      rows.map(({ sizeBytes }) => sizeBytes),
      rows.map(({ crc32 }) => crc32),
      rows.map(({ refusal }) => refusal),
      rows.map(({ isElsewhere }) => isElsewhere),
      rows.map(({ stored }) => stored?.token ?? null),
      rows.map(({ stored }) => stored?.extension ?? null),
      rows.map(({ stored }) => stored?.width ?? null),
      rows.map(({ stored }) => stored?.height ?? null),
      rows.map(({ stored }) => stored?.empreinte ?? null),
    ],
  });
}

export async function replacePhotos(
  client: Pick<PoolClient, 'query'>,
  gatewayId: number,
  versions: readonly PhotosOfVersion[],
): Promise<void> {
  if (versions.length === 0) return;
  await client.query('DELETE FROM listing_photo WHERE gateway_id = $2 AND version_id = ANY ($1::bigint[])', [
    versions.map(({ versionId }) => versionId),
    gatewayId,
  ]);
  await addPhotos(client, gatewayId, versions);
}
