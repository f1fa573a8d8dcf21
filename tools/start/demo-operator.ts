import type { Database } from '@passerelle/database';
import { generatePassword, hashPassword, makeSignInToken, SecretBox } from '@passerelle/domain';

const NAME = 'demo';
const LINK_MS = 24 * 3_600_000;

/**
 * The address where the operator `demo` signs in to the console by pressing a button; the operator is made where there is none.
 * Its password is nobody's: the link is the only way, for a day.
 *
 * @returns null when somebody has disabled the operator.
 */
export async function consoleLink(database: Database, secretsKey: string, consoleUrl: string): Promise<string | null> {
  const known = await database.operators.find(NAME);
  if (known === null) await database.operators.add(NAME, 'admin', await hashPassword(generatePassword()));
  else if (known.disabledAt !== null) return null;
  const token = makeSignInToken(new SecretBox(secretsKey), NAME, new Date(Date.now() + LINK_MS));
  return `${consoleUrl}/sign-in?token=${token}`;
}
