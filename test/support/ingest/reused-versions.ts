import type { ByteText, CurrentVersion } from '@passerelle/database';

/** A version that a run compares with a record. Its texts stay valid, unlike those of a `CurrentVersion`. */
export type PlainVersion = {
  [Key in keyof CurrentVersion]: CurrentVersion[Key] extends ByteText ? string : CurrentVersion[Key];
};

/** Like the database, passes a version to `take` whose texts become invalid afterwards. */
export function handOut({ id, fill, duties, ...texts }: PlainVersion, take: (version: CurrentVersion) => void): void {
  const [affId, scope, revision] = [byteText(texts.affId), byteText(texts.scope), byteText(texts.revision)];
  const [recordHash, contentHash] = [byteText(texts.recordHash), byteText(texts.contentHash)];
  take({ id, fill, duties, affId, scope, revision, recordHash, contentHash });
  for (const { bytes } of [affId, scope, revision, recordHash, contentHash]) bytes.fill('?');
}

const BEFORE = 'abc';
const AFTER = 'xyz';

/** A text with other bytes before and after it. */
export function byteText(text: string): ByteText {
  const bytes = Buffer.from(BEFORE + text + AFTER);
  return { bytes, start: BEFORE.length, end: bytes.length - AFTER.length };
}
