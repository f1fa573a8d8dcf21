import { isUrl } from '@passerelle/domain';
import { isIPv6 } from 'node:net';
import { z } from 'zod';

export const MAX_URL_CHARACTERS = 2_048;

const HTTP_SCHEME = '^[hH][tT][tT][pP][sS]?://';
const IN_PATH = String.raw`(?:[a-z0-9\-._~!$&'()*+,;=:@/]|%[0-9a-f]{2})`;
const IN_QUERY = String.raw`(?:[a-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9a-f]{2})`;
/** A host name (internationalized names too), or an IPv6 address in brackets. */
const HOST = String.raw`(?:[\p{L}\p{N}\p{M}\-._~]+|\[(?<ipv6>[0-9a-f:.]+)\])`;
/** An http address by RFC 3986, without a user. `new URL` would accept and percent-encode other texts. */
const HTTP_ADDRESS = new RegExp(
  `^https?://${HOST}(?::\\d*)?(?:/${IN_PATH}*)?(?:\\?${IN_QUERY}*)?(?:#${IN_QUERY}*)?$`,
  'iu',
);

/** The address of a site. */
export const SITE_ADDRESS = z
  .string()
  .refine(isHttpAddress)
  .meta({ format: 'uri', pattern: HTTP_SCHEME, maxLength: MAX_URL_CHARACTERS });

export function isHttpAddress(text: string): boolean {
  const address = text.length <= MAX_URL_CHARACTERS ? HTTP_ADDRESS.exec(text) : null;
  const ipv6 = address?.groups?.['ipv6'];
  // A port is at most 65,535, and a name must be resolvable.
  return address !== null && (ipv6 === undefined || isIPv6(ipv6)) && isUrl(text);
}
