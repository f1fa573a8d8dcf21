export const CONFIG = Symbol('config');
export const LOGGER = Symbol('logger');
export const DOCUMENTS = Symbol('documents');
export const MEDIA = Symbol('media');
export const KEY_HASHES = Symbol('key hashes');
/** The receiver of spans. */
export const TRACES = Symbol('traces');
export const FIRST_READ_WAIT_MS = Symbol('first read wait');
