/** Injection tokens of values that are not classes of ours. */
export const CONFIG = Symbol('CONFIG');
export const DELIVERIES = Symbol('DELIVERIES');
export const RENEWED_HASHES = Symbol('RENEWED_HASHES');
export const LOGGER = Symbol('LOGGER');
export const MEDIA = Symbol('MEDIA');
export const OUTBOUND = Symbol('OUTBOUND');
export const PHOTO_BASE_URL = Symbol('PHOTO_BASE_URL');
export const QUEUE_CONNECTION = Symbol('QUEUE_CONNECTION');
export const REGISTRY = Symbol('REGISTRY');
export const RUNNER_OPTIONS = Symbol('RUNNER_OPTIONS');
export const SECRET_BOX = Symbol('SECRET_BOX');
export const TRACES = Symbol('TRACES');
