import { PassThrough } from 'node:stream';
import { MessageSocket } from './message-socket';
import { RowMessages } from './row-messages';

function message(kind: string, text: string): Buffer {
  const head = Buffer.alloc(5);
  head.write(kind);
  head.writeInt32BE(4 + Buffer.byteLength(text), 1);
  return Buffer.concat([head, Buffer.from(text)]);
}

/** A stream whose bytes a driver hears, and the two that get them. */
function listened(stream = new PassThrough()): { stream: PassThrough; driver: string[]; rows: string[] } {
  const [driver, rows] = [[] as string[], [] as string[]];
  stream.on('data', (messages: Buffer) => driver.push(messages.toString('latin1')));
  return { stream, driver, rows };
}

describe('the messages of a connection to PostgreSQL', () => {
  const [first, second] = [message('D', 'first'), message('D', 'D\0\0\0\x04')];
  const [bound, complete, ready] = [message('2', ''), message('C', 'SELECT 2'), message('Z', 'I')];
  const answer = Buffer.concat([bound, first, second, complete, ready]);

  it.each([1, 2, 5, 7, 16, 1_000])(
    'are sorted however they are cut: rows, and what is for the driver, %d bytes at a time',
    async (bytes) => {
      const { stream, driver, rows } = listened();
      RowMessages.of(stream).giveRowsTo((messages) => rows.push(messages.toString('latin1')));
      for (let at = 0; at < answer.length; at += bytes) stream.write(answer.subarray(at, at + bytes));
      stream.end();
      await new Promise((resolve) => stream.once('end', resolve));
      expect(rows.join('')).toBe(Buffer.concat([first, second]).toString('latin1'));
      expect(driver.join('')).toBe(Buffer.concat([bound, complete, ready]).toString('latin1'));
    },
  );

  it('are all for the driver when nobody takes the rows', () => {
    const { stream, driver, rows } = listened();
    const messages = RowMessages.of(stream);
    messages.giveRowsTo((run) => rows.push(run.toString('latin1')));
    messages.giveRowsTo(null);
    stream.emit('data', answer);
    expect(rows).toEqual([]);
    expect(driver.join('')).toBe(answer.toString('latin1'));
  });

  it('go to whoever takes them once the statement before has ended', () => {
    const { stream, driver, rows } = listened();
    const messages = RowMessages.of(stream);
    const earlier: string[] = [];
    messages.giveRowsTo((run) => {
      earlier.push(run.toString('latin1'));
      messages.giveRowsTo((next) => rows.push(next.toString('latin1')));
    });
    stream.emit('data', Buffer.concat([first, ready, second]));
    expect([earlier, driver, rows]).toEqual([[first], [ready], [second]].map(([one]) => [one!.toString('latin1')]));
  });

  it('are sorted once on each connection', () => {
    const { stream } = listened();
    expect(RowMessages.of(stream)).toBe(RowMessages.of(stream));
    expect(stream.listenerCount('data')).toBe(1);
  });

  it('are not copied where they come whole', () => {
    const stream = new MessageSocket();
    const seen: Buffer[] = [];
    stream.on('data', () => undefined);
    RowMessages.of(stream).giveRowsTo((run) => seen.push(run));
    stream.emit('data', first);
    expect(seen[0]?.buffer).toBe(first.buffer);
  });
});
