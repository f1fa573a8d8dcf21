/** Longer than a proxy usually keeps an idle connection, so that the proxy closes it first. */
export const KEEP_ALIVE_TIMEOUT_MS = 72_000;
