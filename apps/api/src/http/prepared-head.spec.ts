import { PreparedHead } from './prepared-head';

describe('a prepared head', () => {
  it.each([
    ['a name', ['x y', 'a']],
    ['a line in a value', ['x-a', 'a\r\nx-b: b']],
    ['a letter outside of latin1', ['x-a', '€']],
    ['a header about the connection', ['Connection', 'close']],
    ['the length of a body', ['content-length', '5']],
    ['the identifier of a request', ['X-Request-Id', 'a']],
  ])('is not made of %s that may not be sent', (_what, headers) => {
    expect(() => new PreparedHead(headers)).toThrow();
  });

  it('says what time it is, whenever it is asked', () => {
    const head = new PreparedHead(['etag', 'W/"é"']);
    jest.useFakeTimers({ now: Date.UTC(2026, 10, 22, 23, 59, 59, 999) });
    try {
      expect(head.text('a', 5)).toContain('\r\nDate: Sun, 22 Nov 2026 23:59:59 GMT\r\n');
      jest.setSystemTime(Date.UTC(2026, 10, 23));
      expect(head.text('a', 5)).toContain('\r\nDate: Mon, 23 Nov 2026 00:00:00 GMT\r\n');
    } finally {
      jest.useRealTimers();
    }
  });
});
