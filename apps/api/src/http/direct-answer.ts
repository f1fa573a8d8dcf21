import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Whether Node has let go of every answer that was sent so. */
let isSound = true;

/**
 * The connection of a request whose answer may be written to it at once, past Node's `ServerResponse`, which takes a
 * seventh of the time of a page from memory (docs/decisions/0026-answers-past-serverresponse.md).
 *
 * @returns null where Node must send the answer: for whatever is not a GET of HTTP/1.1 without a body on a connection that is
 *   kept, or while an answer before it has not ended.
 */
export function directConnection(request: IncomingMessage, response: ServerResponse): Socket | null {
  const { socket } = response;
  const { method, httpVersion } = request;
  const isPlain = method === 'GET' && httpVersion === '1.1' && response.shouldKeepAlive && !hasBody(request);
  if (!isSound || !isPlain || socket === null || socket.destroyed || !socket.writable) return null;
  // Somebody has set a header, or waits for the end of the answer besides Node itself.
  const isTouched = response.getHeaderNames().length > 0 || response.listenerCount('finish') !== 1;
  return isTouched ? null : socket;
}

/** Lets Node go on to the connection's next request, once the answer is written. Never fails: the reader has its answer. */
export function endDirectAnswer(response: ServerResponse, socket: Socket): void {
  try {
    // What Node does at the end of an answer, it does when it hears this.
    response.emit('finish');
  } catch {
    // As if it had not heard.
  }
  if (response.socket === null) return;
  // It did not: the connection has no future, and the next answers go through Node.
  isSound = false;
  socket.destroySoon();
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}
