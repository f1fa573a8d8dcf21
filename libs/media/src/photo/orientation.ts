/** How the pixels must be rotated to be upright: 1 to 8, as in EXIF; 1 means no rotation. */
export type Orientation = number;

export const UPRIGHT: Orientation = 1;

const ORIENTATION_TAG = 0x0112;
const SHORT = 3;
const ENTRY_BYTES = 12;

/** Reads the orientation from EXIF's TIFF structure, or `UPRIGHT` if the structure has no valid orientation. */
export function orientationOf(tiff: Buffer): Orientation {
  const order = tiff.toString('latin1', 0, 4);
  if (order !== 'II*\0' && order !== 'MM\0*') return UPRIGHT;
  const u16 = (at: number): number => (order === 'II*\0' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  if (tiff.length < 8) return UPRIGHT;
  const directory = order === 'II*\0' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return UPRIGHT;
  const entries = u16(directory);
  for (let index = 0; index < entries; index++) {
    const entry = directory + 2 + index * ENTRY_BYTES;
    if (entry + ENTRY_BYTES > tiff.length) return UPRIGHT;
    if (u16(entry) !== ORIENTATION_TAG) continue;
    const value = u16(entry + 2) === SHORT ? u16(entry + 8) : UPRIGHT;
    return value >= 1 && value <= 8 ? value : UPRIGHT;
  }
  return UPRIGHT;
}

/** Builds a TIFF structure with only the orientation, to replace the camera's data. */
export function tiffOf(orientation: Orientation): Buffer {
  const tiff = Buffer.from('MM\0*\0\0\0\x08\0\x01', 'latin1');
  const entry = Buffer.alloc(ENTRY_BYTES + 4);
  entry.writeUInt16BE(ORIENTATION_TAG, 0);
  entry.writeUInt16BE(SHORT, 2);
  entry.writeUInt32BE(1, 4);
  entry.writeUInt16BE(orientation, 8);
  return Buffer.concat([tiff, entry]);
}

/** Width and height as displayed. */
export function upright(
  { width, height }: { width: number; height: number },
  orientation: Orientation,
): { width: number; height: number } {
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}
