import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The last response on a connection. Responses end in order: when it has ended, all have ended. */
export interface LastAnswer {
  response: ServerResponse;
  isOver: boolean;
}

interface Connection {
  last: LastAnswer | null;
  readonly open: Set<ServerResponse>;
}

/** The most requests that may wait on one connection: each takes memory. Clients pipeline far fewer. */
const MOST_UNDER_WAY = 1_000;

export class Connections {
  private readonly connections = new WeakMap<Duplex, Connection>();

  /** Closes the connection if too many responses have not ended. @returns whether the response may begin */
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
      // If the request is incomplete, the following bytes still belong to its body.
      if (response.req.complete && connection.last === answer) connection.last = null;
    });
    return true;
  }

  /** Registers a response as `begin` does, and calls `act` when all earlier responses have been sent. */
  beginInTurn(socket: Socket, response: ServerResponse, act: () => void): void {
    const before = this.last(socket);
    if (!this.begin(socket, response)) return;
    after(before, () => {
      if (!socket.destroyed) act();
    });
  }

  /** Calls `act` when all responses that have begun on a connection have ended, or immediately if there are none. */
  whenOver(socket: Duplex, act: () => void): void {
    after(this.last(socket), act);
  }

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

/** When a connection ends, Node closes only the current response. Without this, later responses are not released. */
function leaveAll(open: ReadonlySet<ServerResponse>): void {
  for (const response of open) {
    if (response.socket !== null || response.writableFinished) continue;
    response.destroy();
    response.emit('close');
  }
}

/** Client addresses, read when a connection opens: after a reset by the client they are not available. */
export class RemoteAddresses {
  private readonly addresses = new WeakMap<object, string>();

  watch(server: Server): void {
    server.on('connection', (socket) => {
      if (socket.remoteAddress !== undefined) this.addresses.set(socket, socket.remoteAddress);
    });
  }

  /** Clients that disconnected before their address was read share one name. */
  of(socket: Duplex): string {
    return this.addresses.get(socket) ?? 'gone';
  }
}
