/** The limit for a colour profile: twice the size of the largest common profiles, which are for printing presses. */
export const MAX_PROFILE_BYTES = 1_048_576;

/** Whether these bytes have the signature of a colour profile, without which a photo's colours are wrong. */
export function isColourProfile(bytes: Buffer): boolean {
  return (
    bytes.length >= 128 &&
    bytes.length <= MAX_PROFILE_BYTES &&
    bytes.toString('latin1', 36, 40) === 'acsp' &&
    bytes.readUInt32BE(0) === bytes.length
  );
}
