import { Socket } from 'node:net';
import { MessageSocket, openStream } from './message-socket';

describe('a connection to PostgreSQL', () => {
  it("is Node's own with TLS, which reads by itself", () => {
    expect(openStream({ ssl: { rejectUnauthorized: true } }).constructor).toBe(Socket);
    expect(openStream({ ssl: false }).constructor).toBe(MessageSocket);
    expect(openStream().constructor).toBe(MessageSocket);
  });
});
