import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Answer } from './misbehaviour';

export function json(status: number, value: object): Answer {
  return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(value)) };
}

export const NOT_FOUND = json(404, { message: 'Resource not found' });

export interface Document {
  contentType: string;
  /** All inputs of its bytes. */
  madeFrom: unknown;
  /** `YYYY-MM-DD HH:MM:SS`. */
  modifiedAt: string;
  write: () => Promise<Buffer>;
}

/** Sends the document, or 304 to clients that have it, without creating the document. */
export async function answerDocument(request: IncomingMessage, document: Document): Promise<Answer> {
  const { contentType, madeFrom, modifiedAt, write } = document;
  const hash = createHash('sha256').update(JSON.stringify(madeFrom)).digest('hex');
  const headers = {
    'content-type': contentType,
    etag: `"${hash.slice(0, 24)}"`,
    'last-modified': new Date(`${modifiedAt.replace(' ', 'T')}Z`).toUTCString(),
  };
  return isKnownTo(request, headers)
    ? { status: 304, headers, body: Buffer.alloc(0) }
    : { status: 200, headers, body: await write() };
}

/** HTTP uses the date only if the request has no tag. */
function isKnownTo(request: IncomingMessage, headers: { etag: string; 'last-modified': string }): boolean {
  const tags = request.headers['if-none-match'];
  if (tags !== undefined) return tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === headers.etag);
  const since = request.headers['if-modified-since'];
  return since !== undefined && Date.parse(since) >= Date.parse(headers['last-modified']);
}
