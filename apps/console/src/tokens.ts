export const CONFIG = Symbol('CONFIG');
export const LOGGER = Symbol('LOGGER');
export const CLOCK = Symbol('CLOCK');
export const PROVIDER = Symbol('PROVIDER');
export const TRUSTED_HEADER = Symbol('TRUSTED_HEADER');
export const DECLARATIONS = Symbol('DECLARATIONS');

export type Clock = () => Date;
