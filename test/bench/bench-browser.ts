import type { Database } from '@passerelle/database';
import { generateSignInToken, signInTokenDigest } from '@passerelle/domain';

export const SECRETS_KEY = 'a secrets key of at least 32 characters';
/** The secrets in the environment of a console. */
export const CONSOLE_SECRETS = { SECRETS_KEY, CONSOLE_SECRET: 'the secret of the console, 32 characters' };

/** A user who is signed in to the console, without a real browser. */
export interface BenchBrowser {
  /** @returns the time until the whole page has arrived, in ms */
  ask(place: string, headers?: Readonly<Record<string, string>>): Promise<number>;
}

/** Signs in as an existing operator with a sign-in link of the console. */
export async function signIn(
  { signIns }: Pick<Database, 'signIns'>,
  url: string,
  operator: string,
): Promise<BenchBrowser> {
  const cookies = new Map<string, string>();
  const ask = async (path: string, headers: object = {}, form?: Record<string, string>): Promise<Response> => {
    const answer = await fetch(url + path, {
      method: form === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { ...headers, cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form !== undefined && { body: new URLSearchParams(form) }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
  const token = generateSignInToken();
  await signIns.addLink(operator, signInTokenDigest(token), 3_600);
  const csrf = /name="_csrf" value="([^"]+)"/.exec(await (await ask('/sign-in')).text())?.[1] ?? '';
  const { status } = await ask('/sign-in/link', {}, { token, _csrf: csrf });
  if (status !== 303) throw new Error(`nobody could sign in: ${status}`);
  return {
    async ask(place, headers) {
      const from = performance.now();
      const answer = await ask(place, headers);
      await answer.arrayBuffer();
      if (answer.status !== 200 && answer.status !== 303) throw new Error(`${place} answered ${answer.status}`);
      return performance.now() - from;
    },
  };
}
