import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a CRM does wrong. */
export type Misbehaviour =
  /** Another status, with a small body. */
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: string }
  /** A good answer with another body, such as a maintenance page. */
  | { kind: 'body'; contentType: string; body: string | Buffer }
  /** A well-formed answer whose document stops after so many bytes; the headers agree with it. */
  | { kind: 'truncated'; bytes: number }
  /** The connection breaks after so many bytes of the body. */
  | { kind: 'dropped'; afterBytes: number }
  /** Content-Length promises so many bytes more than follow (or fewer). */
  | { kind: 'wrong-length'; difference: number }
  /** The first byte comes late. */
  | { kind: 'late'; delayMs: number }
  /** The body stops after so many bytes until `resume` resolves. */
  | { kind: 'paused'; afterBytes: number; onPause: () => void; resume: Promise<void> }
  /** The API declares so many records more than it has. */
  | { kind: 'miscounted'; difference: number };

/** An answer as it would have been. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Sends a good answer. */
export function sendAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, status === 304 ? headers : { ...headers, 'content-length': String(body.length) });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** Sends an answer as a CRM would that has this fault. `miscounted` is no matter of sending. */
export async function sendFaulty(response: ServerResponse, answer: Answer, fault: Misbehaviour): Promise<void> {
  const { headers, body } = answer;
  switch (fault.kind) {
    case 'status': {
      const contentType = { 'content-type': 'application/json', ...fault.headers };
      sendAnswer(response, {
        status: fault.status,
        headers: contentType,
        body: Buffer.from(fault.body ?? '{"message":"simulated"}'),
      });
      return;
    }
    case 'body':
      sendAnswer(response, {
        status: 200,
        headers: { 'content-type': fault.contentType },
        body: Buffer.from(fault.body),
      });
      return;
    case 'truncated':
      sendAnswer(response, { ...answer, body: body.subarray(0, fault.bytes) });
      return;
    case 'dropped':
      await sendStart(response, answer, body.length, fault.afterBytes);
      response.destroy();
      return;
    case 'wrong-length':
      // Node's own check would refuse to write it.
      response.strictContentLength = false;
      response.writeHead(answer.status, {
        ...headers,
        'content-length': String(body.length + fault.difference),
        connection: 'close',
      });
      response.end(body);
      return;
    case 'late':
      await sleep(fault.delayMs);
      sendAnswer(response, answer);
      return;
    case 'paused':
      await sendStart(response, answer, body.length, fault.afterBytes);
      fault.onPause();
      await fault.resume;
      response.end(body.subarray(fault.afterBytes));
      return;
    case 'miscounted':
      sendAnswer(response, answer);
  }
}

async function sendStart(
  response: ServerResponse,
  { status, headers, body }: Answer,
  length: number,
  bytes: number,
): Promise<void> {
  response.writeHead(status, { ...headers, 'content-length': String(length) });
  await new Promise<void>((resolve) => {
    response.write(body.subarray(0, bytes), () => {
      resolve();
    });
  });
}
