/** Injection tokens of values that are not classes of ours. */
export const CONFIG = Symbol('CONFIG');
export const LOGGER = Symbol('LOGGER');
export const CLOCK = Symbol('CLOCK');
/** The provider of identities; null where there is none. */
export const PROVIDER = Symbol('PROVIDER');
/** The header of an authenticating proxy; null where there is none. */
export const TRUSTED_HEADER = Symbol('TRUSTED_HEADER');
/** What the connectors of this release declare. */
export const DECLARATIONS = Symbol('DECLARATIONS');

/** What time it is; tests bring their own. */
export type Clock = () => Date;
