import { isDatabaseAway, isForLater } from './database-failures';

describe('isDatabaseAway', () => {
  it.each([
    ['a closed port', fault('connect ECONNREFUSED', 'ECONNREFUSED')],
    ['all addresses of a host', new AggregateError([fault('', 'ECONNREFUSED'), fault('', 'ECONNREFUSED')])],
    ['a server that is stopped', fault('terminating connection due to administrator command', '57P01')],
    ['a server that starts', fault('the database system is starting up', '57P03')],
    ['a server without room', fault('sorry, too many clients already', '53300')],
    ['a connection that is gone', new Error('Connection terminated unexpectedly')],
    ['a server that does not answer', new Error('timeout exceeded when trying to connect')],
  ])('returns true for %s', (_title, error) => {
    expect(isDatabaseAway(error)).toBe(true);
  });

  it.each([
    ['a statement that is wrong', fault('syntax error', '42601')],
    ['a statement that takes too long', fault('canceling statement due to statement timeout', '57014')],
    ['a fault of ours', new TypeError('x is not a function')],
    ['no error', 'ECONNREFUSED'],
  ])('returns false for %s', (_title, error) => {
    expect(isDatabaseAway(error)).toBe(false);
  });
});

describe('isForLater', () => {
  it.each([
    ['a server that is stopped', fault('terminating connection due to administrator command', '57P01'), true],
    ['a server that only reads', fault('cannot execute INSERT in a read-only transaction', '25006'), true],
    ['a disk that is full', fault('could not extend file', '53100'), true],
    ['a statement that waited for too long', fault('canceling statement due to statement timeout', '57014'), true],
    ['two statements that wait for each other', fault('deadlock detected', '40P01'), true],
    ['a statement that is wrong', fault('syntax error', '42601'), false],
    ['a fault of ours', new TypeError('x is not a function'), false],
  ])('returns the expected value for %s', (_title, error, is) => {
    expect(isForLater(error)).toBe(is);
  });
});

function fault(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}
