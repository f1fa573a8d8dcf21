/** Injection tokens of values that have no class. */
export const CONFIG = Symbol('config');
export const LOGGER = Symbol('logger');
/** openapi.json, the page at `/docs` and the endpoints, as the build has made them. */
export const DOCUMENTS = Symbol('documents');
/** The photos that came as files. */
export const MEDIA = Symbol('media');
/** The secrets under which API keys are hashed. */
export const KEY_HASHES = Symbol('key hashes');
/** Where spans go. */
export const TRACES = Symbol('traces');
/** How long the first reader of a gateway waits for its first snapshot, in ms. */
export const FIRST_READ_WAIT_MS = Symbol('first read wait');
