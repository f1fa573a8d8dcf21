import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Faults of a CRM. */
export type Misbehaviour =
  /** A different status, with a small body. */
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: string }
  /** A successful response with a different body, such as a maintenance page. */
  | { kind: 'body'; contentType: string; body: string | Buffer }
  /** A response whose document stops after this many bytes; its headers match that length. */
  | { kind: 'truncated'; bytes: number }
  /** The connection breaks after this many bytes of the body. */
  | { kind: 'dropped'; afterBytes: number }
  /** Content-Length differs from the length of the body by this many bytes. */
  | { kind: 'wrong-length'; difference: number }
  /** The first byte is delayed. */
  | { kind: 'late'; delayMs: number }
  /** The body pauses after this many bytes until `resume` resolves. */
  | { kind: 'paused'; afterBytes: number; onPause: () => void; resume: Promise<void> }
  /** The API reports this many records more than it has. */
  | { kind: 'miscounted'; difference: number };

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Sends a good response. */
export function sendAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, status === 304 ? headers : { ...headers, 'content-length': String(body.length) });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** Sends a response with a fault. `miscounted` has no effect here. */
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
      // Otherwise Node's own check would refuse to send the response.
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
