/** Injection tokens of values that are not classes of ours. */
export const CONFIG = Symbol('CONFIG');
export const LOGGER = Symbol('LOGGER');
export const CLOCK = Symbol('CLOCK');
/** The identity provider; null without one. */
export const PROVIDER = Symbol('PROVIDER');
/** The header of an authenticating proxy; null without one. */
export const TRUSTED_HEADER = Symbol('TRUSTED_HEADER');
/** The declarations of this release's connectors. */
export const DECLARATIONS = Symbol('DECLARATIONS');

/** The clock; tests replace it. */
export type Clock = () => Date;
