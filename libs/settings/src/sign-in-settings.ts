import { address, addressOrRange, anyText, headerName, listOf } from './kinds';
import { optional, withDefault } from './setting';

/** Who signs in to the console otherwise than with a password. */
export const SIGN_IN_SETTINGS = {
  OIDC_ISSUER: optional(address('https', 'http'), {
    readBy: ['console'],
    about:
      'the OpenID provider through which operators sign in to the console, as it calls itself; `http:` for this machine alone',
    fallbackInWords: 'none: with passwords alone',
  }),
  OIDC_CLIENT_ID: optional(anyText, { readBy: ['console'], about: 'what the provider calls the console' }),
  OIDC_CLIENT_SECRET: optional(anyText, {
    readBy: ['console'],
    about: 'what the console proves to the provider that it is itself with',
    isSecret: true,
  }),
  OIDC_ROLE_CLAIM: withDefault(anyText, 'roles', {
    readBy: ['console'],
    about:
      'the claim with the role, `viewer`, `operator` or `admin`, also as one of a list; inner names behind points, as `realm_access.roles`',
  }),
  CONSOLE_TRUSTED_HEADER: optional(headerName, {
    readBy: ['console'],
    about:
      'the header in which an authenticating proxy names the operator, for requests from `CONSOLE_TRUSTED_PROXIES`; `ops operator add` makes who is named',
    fallbackInWords: 'none',
  }),
  CONSOLE_TRUSTED_PROXIES: withDefault(listOf(addressOrRange, 'addresses or CIDR ranges (10.0.0.0/8)'), [], {
    readBy: ['console'],
    about:
      'addresses or CIDR ranges of the proxies whose `CONSOLE_TRUSTED_HEADER` counts: nothing else may reach the console from there',
  }),
};
