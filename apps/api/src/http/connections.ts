import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The answer that was begun last on a connection. Answers leave in the order of their requests: when it is over, all are. */
export interface LastAnswer {
  response: ServerResponse;
  isOver: boolean;
}

interface Connection {
  last: LastAnswer | null;
  /** Those that are not over. */
  readonly open: Set<ServerResponse>;
}

/**
 * Requests of one connection that wait for their answers: each takes memory, and may have to wait for seconds. No client sends
 * so many ahead.
 */
const MOST_UNDER_WAY = 1_000;

/** The answers on each connection. */
export class Connections {
  private readonly connections = new WeakMap<Duplex, Connection>();

  /**
   * Takes note of an answer that begins. Ends a connection that has too many under way.
   *
   * @returns whether it begins
   */
  begin(socket: Socket, response: ServerResponse): boolean {
    const connection = this.of(socket);
    if (socket.destroyed) return false;
    if (connection.open.size >= MOST_UNDER_WAY) {
      socket.destroy();
      return false;
    }
    const answer = { response, isOver: false };
    connection.last = answer;
    connection.open.add(response);
    response.once('close', () => {
      answer.isOver = true;
      connection.open.delete(response);
      // Of a request that has not come to its end, what follows is its body still.
      if (response.req.complete && connection.last === answer) connection.last = null;
    });
    return true;
  }

  /** The same, for one that begins when all answers before it have left. */
  beginInTurn(socket: Socket, response: ServerResponse, act: () => void): void {
    const before = this.last(socket);
    if (!this.begin(socket, response)) return;
    after(before, () => {
      if (!socket.destroyed) act();
    });
  }

  /** Calls when all answers on a connection that have begun are over: at once when there are none. */
  whenOver(socket: Duplex, act: () => void): void {
    after(this.last(socket), act);
  }

  /** The last answer of a connection; null for none that matters. */
  last(socket: Duplex): LastAnswer | null {
    return this.connections.get(socket)?.last ?? null;
  }

  private of(socket: Socket): Connection {
    let connection = this.connections.get(socket);
    if (connection === undefined) {
      const open = new Set<ServerResponse>();
      connection = { last: null, open };
      this.connections.set(socket, connection);
      socket.once('close', () => {
        leaveAll(open);
      });
    }
    return connection;
  }
}

function after(answer: LastAnswer | null, act: () => void): void {
  if (answer === null || answer.isOver) act();
  else answer.response.once('close', act);
}

/**
 * Node closes the answer that a connection is sending when it ends, and tells nobody of those that wait behind it. Whatever
 * is held for one of them would be held for ever.
 */
function leaveAll(open: ReadonlySet<ServerResponse>): void {
  for (const response of open) {
    if (response.socket !== null || response.writableFinished) continue;
    response.destroy();
    response.emit('close');
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
