import type { ByteText, CurrentVersion } from '@passerelle/database';

/** A version to which a run compares a record, with texts that stay valid. */
export type PlainVersion = {
  [Key in keyof CurrentVersion]: CurrentVersion[Key] extends ByteText ? string : CurrentVersion[Key];
};

/** Passes a version on as the database does: its texts are invalid afterwards. */
export function handOut({ id, fill, duties, ...texts }: PlainVersion, take: (version: CurrentVersion) => void): void {
  const [affId, scope, revision] = [byteText(texts.affId), byteText(texts.scope), byteText(texts.revision)];
  const [recordHash, contentHash] = [byteText(texts.recordHash), byteText(texts.contentHash)];
  take({ id, fill, duties, affId, scope, revision, recordHash, contentHash });
  for (const { bytes } of [affId, scope, revision, recordHash, contentHash]) bytes.fill('?');
}

const BEFORE = 'abc';
const AFTER = 'xyz';

/** A text within other bytes. */
export function byteText(text: string): ByteText {
  const bytes = Buffer.from(BEFORE + text + AFTER);
  return { bytes, start: BEFORE.length, end: bytes.length - AFTER.length };
}
