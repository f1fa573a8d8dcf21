import type { FastifyReply } from 'fastify';
import type { ServedSnapshot } from './served-snapshots';

/** Headers of every response that a reader may store, but must revalidate before it uses it. */
export const CONDITIONAL_HEADERS = { 'cache-control': 'private, no-cache', vary: 'Accept-Encoding' };

/** Headers of every response from a snapshot: names and values alternate. */
export function snapshotHeaders(snapshot: ServedSnapshot): string[] {
  const { token, total, cache, confirmedAtMs, publishedAtMs } = snapshot;
  return [
    ...['x-cache', cache, 'x-snapshot', token, 'x-snapshot-total', String(total)],
    ...(confirmedAtMs === null ? [] : ['x-confirmed-at', new Date(confirmedAtMs).toISOString()]),
    ...['last-modified', new Date(publishedAtMs).toUTCString()],
  ];
}

/** For responses that Fastify sends. Fastify answers 304 to a reader that already has the `etag`. */
export function setSnapshotHeaders(reply: FastifyReply, snapshot: ServedSnapshot, etag: string): void {
  reply.headers(conditionalHeaders(snapshot, etag));
}

export function conditionalHeaders(snapshot: ServedSnapshot, etag: string): Record<string, string> {
  const headers = snapshotHeaders(snapshot);
  const names = headers.filter((_, at) => at % 2 === 0);
  const byName = Object.fromEntries(names.map((name, at) => [name, headers[at * 2 + 1] ?? '']));
  return { ...byName, ...CONDITIONAL_HEADERS, etag };
}
