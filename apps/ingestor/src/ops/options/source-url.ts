import type { Connector } from '@passerelle/connectors';
import { WrongUse } from '../failures';

const WEB = ['http:', 'https:'];
const FILE_SERVER = ['ftp:', 'ftps:', 'sftp:'];

/**
 * The address of a feed. What is wrong with it is said without repeating it: it may hold a password.
 *
 * @throws WrongUse
 */
export function parseSourceUrl(text: string, { fetch }: Pick<Connector, 'fetch'>): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (fetch.kind === 'pages' && (url === null || !WEB.includes(url.protocol))) {
    throw new WrongUse('--source takes an http: or https: URL: this connector asks an API');
  }
  if (url === null || ![...WEB, ...FILE_SERVER, 'file:'].includes(url.protocol)) {
    throw new WrongUse('--source takes an http:, https:, ftp:, ftps:, sftp: or file: URL');
  }
  if (url.protocol === 'file:' && url.host !== '') {
    throw new WrongUse('--source takes a file of the inbox as file:NAME, or as file:///PATH');
  }
  if (FILE_SERVER.includes(url.protocol) && (url.hostname === '' || /(^|\/)$/.test(url.pathname))) {
    throw new WrongUse(`--source takes a file on a server as ${url.protocol}//HOST/PATH/NAME`);
  }
  return text;
}
