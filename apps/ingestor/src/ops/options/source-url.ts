import { WrongUse } from '../failures';

const PROTOCOLS = ['http:', 'https:', 'file:'];
const NOT_YET = ['ftp:', 'ftps:', 'sftp:'];

/**
 * The address of a feed. What is wrong with it is said without repeating it: it may hold a password.
 *
 * @throws WrongUse
 */
export function parseSourceUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && NOT_YET.includes(url.protocol)) {
    throw new WrongUse(
      `--source cannot be ${url.protocol} yet: let the CRM drop its file in the inbox, and give file:NAME`,
    );
  }
  if (url === null || !PROTOCOLS.includes(url.protocol)) {
    throw new WrongUse('--source takes an http:, https: or file: URL');
  }
  if (url.protocol === 'file:' && url.host !== '') {
    throw new WrongUse('--source takes a file of the inbox as file:NAME, or as file:///PATH');
  }
  return text;
}
