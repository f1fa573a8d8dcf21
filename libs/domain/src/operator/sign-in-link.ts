import type { SecretBox } from '../access/secret-box';

const PURPOSE = 'console sign-in';

/** What a link to the console carries, so that somebody signs in without a password until `until`. */
export function makeSignInToken(box: SecretBox, name: string, until: Date): string {
  return box.seal(JSON.stringify({ purpose: PURPOSE, name, until: until.getTime() })).toString('base64url');
}

/** Whose token it is; null when it is not ours, or its time is over. */
export function openSignInToken(box: SecretBox, token: string, now: Date): string | null {
  try {
    const { purpose, name, until } = JSON.parse(box.open(Buffer.from(token, 'base64url'))) as Record<string, unknown>;
    if (purpose !== PURPOSE || typeof name !== 'string' || typeof until !== 'number') return null;
    return now.getTime() < until ? name : null;
  } catch {
    return null;
  }
}
