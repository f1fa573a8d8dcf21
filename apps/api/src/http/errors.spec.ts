import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_ERRORS, ApiError } from '@passerelle/domain';
import { toApiError } from './error-envelope';

describe('the catalogue of errors', () => {
  it('is the one that docs/errors.md lists, in both directions', () => {
    const page = readFileSync(join(__dirname, '../../../../docs/errors.md'), 'utf8');
    const rows = [...page.matchAll(/^\| (\d{3}) +\| `([A-Z_]+)`/gm)].map(([, status, code]) => [code, Number(status)]);

    expect(Object.fromEntries(rows)).toEqual(API_ERRORS);
  });
});

describe('toApiError', () => {
  it('leaves our own errors as they are', () => {
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
  ])('makes %j %s', (error, code) => {
    expect(toApiError(error).code).toBe(code);
  });

  it('says nothing of an unexpected error', () => {
    expect(toApiError(new Error('secret')).message).not.toContain('secret');
  });
});
