import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Faults of a CRM. */
export type Misbehaviour =
  /** Another status, with a small body. */
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: string }
  /** A good response with another body, such as a maintenance page. */
  | { kind: 'body'; contentType: string; body: string | Buffer }
  /** A well-formed response whose document stops after so many bytes; the headers match it. */
  | { kind: 'truncated'; bytes: number }
  /** The connection breaks after so many bytes of the body. */
  | { kind: 'dropped'; afterBytes: number }
  /** Content-Length is larger (or smaller) than the body by so many bytes. */
  | { kind: 'wrong-length'; difference: number }
  /** The first byte comes late. */
  | { kind: 'late'; delayMs: number }
  /** The body stops after so many bytes until `resume` resolves. */
  | { kind: 'paused'; afterBytes: number; onPause: () => void; resume: Promise<void> }
  /** The API reports so many records more than it has. */
  | { kind: 'miscounted'; difference: number };

/** The response without the fault. */
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

/** Sends a response with this fault. `miscounted` has no effect here. */
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
