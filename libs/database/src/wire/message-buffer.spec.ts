import { MessageBuffer } from './message-buffer';

/** A message whose text has so many bytes, each of which tells the message from its neighbours. */
function message(bytes: number, number: number): Buffer {
  const one = Buffer.alloc(5 + bytes, 'a'.charCodeAt(0) + (number % 26));
  one.write('d', 0, 'latin1');
  one.writeInt32BE(4 + bytes, 1);
  return one;
}

/** What comes out when `stream` is read in pieces of at most so many bytes. */
function readIn(stream: Buffer, mostBytes: () => number): { whole: Buffer[]; largestRoom: number } {
  const buffer = new MessageBuffer();
  const whole: Buffer[] = [];
  let largestRoom = 0;
  for (let at = 0; at < stream.length;) {
    const { free } = buffer;
    largestRoom = Math.max(largestRoom, free.length);
    expect(free.length).toBeGreaterThan(0);
    const bytes = stream.copy(free, 0, at, at + Math.min(free.length, mostBytes(), stream.length - at));
    at += bytes;
    buffer.add(bytes, (messages) => whole.push(Buffer.from(messages)));
  }
  return { whole, largestRoom };
}

function isWhole(messages: Buffer): boolean {
  let at = 0;
  while (at < messages.length) at += 1 + messages.readInt32BE(at + 1);
  return at === messages.length;
}

describe('messages of PostgreSQL, read into the same memory again and again', () => {
  let seed = 1;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };

  it.each([1, 4, 7, 1_000, 65_536, 200_000])('come whole and in order when %d bytes come at a time', (most) => {
    const sizes = Array.from({ length: 60 }, () => [0, 3, 40, 2_300, most > 7 ? 70_000 : 700][random(5)]!);
    const stream = Buffer.concat([...sizes, 0].map(message));
    const { whole } = readIn(stream, () => most);
    expect(Buffer.concat(whole).equals(stream)).toBe(true);
    expect(whole.every(isWhole)).toBe(true);
  });

  it('come whole and in order however they are cut', () => {
    for (let round = 0; round < 100; round += 1) {
      const stream = Buffer.concat(
        Array.from({ length: 30 }, (_, at) => message(random([8, 3_000, 200_000][round % 3]!), at)),
      );
      const { whole } = readIn(stream, () => 1 + random([5, 2_000, 65_536][random(3)]!));
      expect(Buffer.concat(whole).equals(stream)).toBe(true);
      expect(whole.every(isWhole)).toBe(true);
    }
  });

  it('may be larger than the memory, which is given back afterwards', () => {
    const stream = Buffer.concat([message(5_000_000, 0), message(10, 1), message(10, 2)]);
    const { whole, largestRoom } = readIn(stream, () => 65_536);
    expect(Buffer.concat(whole).equals(stream)).toBe(true);
    expect(largestRoom).toBeGreaterThan(1_000_000);
    const buffer = new MessageBuffer();
    const take = (bytes: Buffer): void => {
      for (let at = 0; at < bytes.length;) {
        const copied = bytes.copy(buffer.free, 0, at);
        at += copied;
        buffer.add(copied, () => undefined);
      }
    };
    take(stream);
    expect(buffer.free.length).toBeLessThan(1_000_000);
  });

  it('leave their memory to those that follow', () => {
    const buffer = new MessageBuffer();
    const { buffer: memory } = buffer.free;
    for (let round = 0; round < 100; round += 1) {
      const bytes = message(2_300, round).copy(buffer.free);
      buffer.add(bytes, () => undefined);
    }
    expect(buffer.free.buffer).toBe(memory);
  });

  it('are handed on when their length is none, for the driver to refuse', () => {
    const { whole } = readIn(Buffer.from([0x64, 0, 0, 0, 0, 0x64]), () => 6);
    expect(Buffer.concat(whole)).toHaveLength(5);
  });
});
