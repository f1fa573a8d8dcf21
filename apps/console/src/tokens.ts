/** Injection tokens of values that are not classes of ours. */
export const CONFIG = Symbol('CONFIG');
export const LOGGER = Symbol('LOGGER');
export const CLOCK = Symbol('CLOCK');
/** What the connectors of this release declare. */
export const DECLARATIONS = Symbol('DECLARATIONS');

/** What time it is; tests bring their own. */
export type Clock = () => Date;
