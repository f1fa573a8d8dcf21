import { AccessRefused, BadFeed, RetryLater } from '@passerelle/domain';
import { errorOfStatus, retryAfterMs } from './response-status';

describe('errorOfStatus', () => {
  it.each([
    [401, AccessRefused],
    [403, AccessRefused],
    [400, BadFeed],
    [404, BadFeed],
    [410, BadFeed],
    [304, BadFeed],
    [408, RetryLater],
    [425, RetryLater],
    [429, RetryLater],
    [500, RetryLater],
    [503, RetryLater],
  ])('returns the matching error class for status %i', (status, kind) => {
    const error = errorOfStatus(status, 'https://feeds.example/', undefined);
    expect(error).toBeInstanceOf(kind);
    expect(error.message).toBe(`https://feeds.example/ answered ${status}`);
  });
});

describe('retryAfterMs', () => {
  const now = Date.parse('2024-05-01T10:00:00Z');

  it.each([
    ['30', 30_000],
    ['0', 0],
    ['Wed, 01 May 2024 10:00:05 GMT', 5000],
    ['Wed, 01 May 2024 09:00:00 GMT', 0],
    ['soon', undefined],
    ['-1', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('reads %j as %j', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});
