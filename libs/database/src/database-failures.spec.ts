import { isDatabaseAway, isForLater } from './database-failures';

describe('isDatabaseAway', () => {
  it.each([
    ['a closed port', fault('connect ECONNREFUSED', 'ECONNREFUSED')],
    [
      'closed ports at all addresses of a host',
      new AggregateError([fault('', 'ECONNREFUSED'), fault('', 'ECONNREFUSED')]),
    ],
    ['a server that shuts down', fault('terminating connection due to administrator command', '57P01')],
    ['a server that starts up', fault('the database system is starting up', '57P03')],
    ['a server without free connections', fault('sorry, too many clients already', '53300')],
    ['a terminated connection', new Error('Connection terminated unexpectedly')],
    ['a server that does not answer', new Error('timeout exceeded when trying to connect')],
  ])('returns true for %s', (_title, error) => {
    expect(isDatabaseAway(error)).toBe(true);
  });

  it.each([
    ['an invalid statement', fault('syntax error', '42601')],
    ['a statement that takes too long', fault('canceling statement due to statement timeout', '57014')],
    ['an error in our own code', new TypeError('x is not a function')],
    ['a value that is not an error', 'ECONNREFUSED'],
  ])('returns false for %s', (_title, error) => {
    expect(isDatabaseAway(error)).toBe(false);
  });
});

describe('isForLater', () => {
  it.each([
    ['a server that shuts down', fault('terminating connection due to administrator command', '57P01'), true],
    ['a read-only server', fault('cannot execute INSERT in a read-only transaction', '25006'), true],
    ['a full disk', fault('could not extend file', '53100'), true],
    ['a statement that takes too long', fault('canceling statement due to statement timeout', '57014'), true],
    ['a deadlock of two statements', fault('deadlock detected', '40P01'), true],
    ['an invalid statement', fault('syntax error', '42601'), false],
    ['an error in our own code', new TypeError('x is not a function'), false],
  ])('returns the expected value for %s', (_title, error, is) => {
    expect(isForLater(error)).toBe(is);
  });
});

function fault(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}
