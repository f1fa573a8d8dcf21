/** Injection tokens of values that are not classes of ours. */
export const CONFIG = Symbol('CONFIG');
export const LOGGER = Symbol('LOGGER');
export const REGISTRY = Symbol('REGISTRY');
export const RUN_GATEWAY = Symbol('RUN_GATEWAY');
