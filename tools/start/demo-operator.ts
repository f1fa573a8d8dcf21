import type { Database } from '@passerelle/database';
import { generatePassword, generateSignInToken, hashPassword, signInTokenDigest } from '@passerelle/domain';

const NAME = 'demo';
const LINK_SECONDS = 24 * 3_600;

/** A link that signs in the operator `demo` once within a day; null if disabled. Creates the operator if missing. */
export async function consoleLink(database: Database, consoleUrl: string): Promise<string | null> {
  const known = await database.operators.find(NAME);
  if (known === null) await database.operators.add(NAME, 'admin', await hashPassword(generatePassword()));
  const token = generateSignInToken();
  const added = await database.signIns.addLink(NAME, signInTokenDigest(token), LINK_SECONDS);
  return added === null || added === 'forbidden' ? null : `${consoleUrl}/sign-in?token=${token}`;
}
