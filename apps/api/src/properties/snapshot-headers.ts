import type { FastifyReply } from 'fastify';
import type { ServedSnapshot } from './served-snapshots';

/** Of every answer that a reader may keep, and must ask for again before it uses it. */
export const CONDITIONAL_HEADERS = { 'cache-control': 'private, no-cache', vary: 'Accept-Encoding' };

/** Headers of every answer that comes from a snapshot: names and values by turns. */
export function snapshotHeaders({ token, total, cache, confirmedAtMs, publishedAtMs }: ServedSnapshot): string[] {
  return [
    ...['x-cache', cache, 'x-snapshot', token, 'x-snapshot-total', String(total)],
    ...(confirmedAtMs === null ? [] : ['x-confirmed-at', new Date(confirmedAtMs).toISOString()]),
    ...['last-modified', new Date(publishedAtMs).toUTCString()],
  ];
}

/** The same for answers that Fastify sends; it answers 304 to whoever has the `etag` already. */
export function setSnapshotHeaders(reply: FastifyReply, snapshot: ServedSnapshot, etag: string): void {
  const headers = snapshotHeaders(snapshot);
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] ?? '', headers[at + 1]);
  reply.headers({ ...CONDITIONAL_HEADERS, etag });
}
