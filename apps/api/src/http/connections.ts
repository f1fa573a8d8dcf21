import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The answer that was begun last on a connection. Answers leave in the order of their requests: when it is over, all are. */
export interface LastAnswer {
  response: ServerResponse;
  isOver: boolean;
}

/** The answers on each connection. */
export class Connections {
  private readonly answers = new WeakMap<Duplex, LastAnswer>();

  /** Takes note of an answer that begins. */
  begin(socket: Socket, response: ServerResponse): void {
    const answer = { response, isOver: false };
    this.answers.set(socket, answer);
    response.once('close', () => {
      answer.isOver = true;
      // Of a request that has not come to its end, what follows is its body still.
      if (response.req.complete && this.answers.get(socket) === answer) this.answers.delete(socket);
    });
  }

  /** The last answer of a connection; null for none that matters. */
  last(socket: Duplex): LastAnswer | null {
    return this.answers.get(socket) ?? null;
  }
}

/** Addresses by connection, read when it opens: one that the client has reset knows its address no longer. */
export class RemoteAddresses {
  private readonly addresses = new WeakMap<object, string>();

  watch(server: Server): void {
    server.on('connection', (socket) => {
      if (socket.remoteAddress !== undefined) this.addresses.set(socket, socket.remoteAddress);
    });
  }

  /** Clients that were gone before anything could be known of them share one name. */
  of(socket: Duplex): string {
    return this.addresses.get(socket) ?? 'gone';
  }
}
