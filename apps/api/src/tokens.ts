/** Injection tokens of values that have no class. */
export const CONFIG = Symbol('config');
export const LOGGER = Symbol('logger');
/** openapi.json, the page at `/docs` and the endpoints, from the build. */
export const DOCUMENTS = Symbol('documents');
/** The photos that arrived as files. */
export const MEDIA = Symbol('media');
/** The secrets that hash API keys. */
export const KEY_HASHES = Symbol('key hashes');
/** The receiver of spans. */
export const TRACES = Symbol('traces');
/** How long the first reader of a gateway waits for its first snapshot, in ms. */
export const FIRST_READ_WAIT_MS = Symbol('first read wait');
