import { Socket } from 'node:net';
import { MessageBuffer } from './message-buffer';

/**
 * A connection to PostgreSQL that reads into its own memory, again and again, where Node would take new memory for each
 * read, and the driver for each message that two reads share: for pages and dumps V8 collected little else.
 *
 * What it emits is good while it is emitted: whoever keeps bytes of a message copies them. The driver does.
 */
export class MessageSocket extends Socket {
  constructor() {
    const messages = new MessageBuffer();
    super({
      // Known to the constructor as to `connect`, and not to the types.
      ...({
        onread: {
          buffer: () => messages.free,
          callback: (bytes: number) => {
            messages.add(bytes, (whole) => this.emit('data', whole));
            return true;
          },
        },
      } as object),
    });
  }
}

/** What the driver makes its connections with. TLS, which comes between, needs Node's own. */
export function openStream(config?: { ssl?: unknown }): Socket {
  return config?.ssl === undefined || config.ssl === false ? new MessageSocket() : new Socket();
}
