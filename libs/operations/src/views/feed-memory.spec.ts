import type { RememberedFeed } from '@passerelle/database';
import { toFeedMemoryView } from './feed-memory';

const NOTHING: RememberedFeed = {
  ...{ etag: null, lastModified: null, hasFingerprint: false, sizeBytes: null },
  ...{ comparedAt: null, askedAt: null, removedAt: null, anewSince: null, keptDetails: 0, keptSince: null },
};
const HTTP = 'https://feeds.example.org/x.xml';

describe('the remembered facts about a source', () => {
  it.each([
    ['the ETag of its answer', { etag: '"v1"', hasFingerprint: true }, HTTP, 'answer'],
    ['the Last-Modified time of its answer', { lastModified: 'Wed, 01 May 2024 10:00:00 GMT' }, HTTP, 'answer'],
    ['the ETag of its answer, when its address is not shown', { etag: '"v1"' }, null, 'answer'],
    ['the state of its file', { etag: 'k3-1f4-9', hasFingerprint: true }, 'file:x.xml', 'file'],
    [
      'the state of its file on a server',
      { etag: '0af3', hasFingerprint: true },
      'sftp://ftp.example.org/x.xml',
      'file',
    ],
    ['the fingerprint of its bytes', { hasFingerprint: true, sizeBytes: 12 }, HTTP, 'bytes'],
    ['its records', { askedAt: '2026-01-01T00:00:00.000Z' }, HTTP, 'records'],
  ] as const)('show that the feed is unchanged by %s', (_what, memory, sourceUrl, expected) => {
    const view = toFeedMemoryView({ ...NOTHING, ...memory }, { listings: 3, sourceUrl });
    expect(view.unchanged_by).toBe(expected);
  });

  it('are empty until a list is published, except for the kept records', () => {
    const memory = { ...NOTHING, hasFingerprint: true, keptDetails: 1_200, keptSince: '2026-01-01T00:00:00Z' };
    expect(toFeedMemoryView(memory, { listings: null, sourceUrl: HTTP })).toMatchObject({
      ...{ unchanged_by: null, known_records: 0, kept_records: 1_200, kept_since: '2026-01-01T00:00:00Z' },
    });
  });

  it('include a valid time of the source, and omit an invalid one', () => {
    const shown = (lastModified: string) =>
      toFeedMemoryView({ ...NOTHING, lastModified }, { listings: 3, sourceUrl: HTTP }).last_modified;
    expect(shown('Wed, 01 May 2024 10:00:00 GMT')).toBe('2024-05-01T10:00:00.000Z');
    expect(shown('<b>yesterday</b>')).toBeNull();
  });

  it("include the source's ETag, truncated when too long, but no ETag computed for a file", () => {
    const shown = (etag: string, sourceUrl: string) =>
      toFeedMemoryView({ ...NOTHING, etag }, { listings: 3, sourceUrl }).etag;
    expect(shown('W/"5f-18a"', HTTP)).toBe('W/"5f-18a"');
    expect(shown('x'.repeat(9_000), HTTP)).toHaveLength(100);
    expect(shown('k3-1f4-9', 'file:x.xml')).toBeNull();
  });
});
