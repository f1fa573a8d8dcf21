/** Injection tokens of what is a value rather than a class. */
export const CONFIG = Symbol('config');
export const LOGGER = Symbol('logger');
