import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_ERRORS, ApiError } from '@passerelle/domain';
import { toApiError } from './error-envelope';

describe('error catalogue', () => {
  it('is the same as the table in docs/errors.md', () => {
    const page = readFileSync(join(__dirname, '../../../../docs/errors.md'), 'utf8');
    const rows = [...page.matchAll(/^\| (\d{3}) +\| `([A-Z_]+)`/gm)].map(([, status, code]) => [code, Number(status)]);

    expect(Object.fromEntries(rows)).toEqual(API_ERRORS);
  });
});

describe('toApiError', () => {
  it('returns our own errors unchanged', () => {
    const error = new ApiError('NOT_FOUND', 'no');

    expect(toApiError(error)).toBe(error);
  });

  it.each([
    [{ code: 'FST_ERR_CTP_BODY_TOO_LARGE', statusCode: 413 }, 'BAD_REQUEST'],
    [{ code: 'FST_ERR_SOMETHING_NEW', statusCode: 415 }, 'BAD_REQUEST'],
    [{ code: 'FST_ERR_REP_ALREADY_SENT', statusCode: 500 }, 'INTERNAL_ERROR'],
    [{ code: '57P01', statusCode: 404 }, 'INTERNAL_ERROR'],
    [new Error('boom'), 'INTERNAL_ERROR'],
    ['a string', 'INTERNAL_ERROR'],
    [undefined, 'INTERNAL_ERROR'],
  ])('turns %j into %s', (error, code) => {
    expect(toApiError(error).code).toBe(code);
  });

  it('reveals nothing about an unexpected error', () => {
    expect(toApiError(new Error('secret')).message).not.toContain('secret');
  });
});
