import { setTimeout as sleep } from 'node:timers/promises';
import type { PublishedSnapshot } from '@passerelle/database';
import { PaginationSessions } from './pagination-sessions';

const NOW_MS = Date.UTC(2026, 10, 19);
const aSnapshot = (id: number, ageMs: number): PublishedSnapshot => ({
  ...{ id, token: `token-${id}`, total: 10 },
  publishedAtMs: NOW_MS - ageMs,
  confirmedAtMs: null,
});
const READER = { crm: 'kyero', client: 'a', key: 'k', address: undefined, userAgent: 'Plugin/1.0', format: 'raw' };

interface Asked {
  page?: number;
  /** The time since the last publication. */
  ageMs?: number;
  isKnown?: boolean;
}

/** Whether a page waits for a session that another process stores soon after the request, with a fake PostgreSQL. */
async function heedsAnother({ page = 1, ageMs = 50, isKnown = false }: Asked = {}): Promise<boolean> {
  let isWritten = false;
  const sessions = new PaginationSessions(
    {
      isKnown: () => Promise.resolve(isKnown),
      step: () => Promise.resolve(aSnapshot(isWritten ? 1 : 2, ageMs)),
    } as never,
    { walkSeconds: 900 },
    { nowMs: () => NOW_MS, monotonicMs: () => 0 },
  );
  const [before, current] = [aSnapshot(1, 60_000), aSnapshot(2, ageMs)];
  const gateway = { id: 1, snapshot: current, recent: [before, current] } as never;
  const open = { requestId: '', gateway, databaseMs: NOW_MS, confirmedAgeMs: null };
  const answer = sessions.snapshotOf(open, current, { reader: () => ({ ...READER, perPage: 3 }), page, perPage: 3 });
  await sleep(10);
  isWritten = true;
  return (await answer).id === 1;
}

describe('PaginationSessions', () => {
  it('waits for the session of another process before a first page soon after a publication', async () => {
    expect(await heedsAnother()).toBe(true);
  });

  it.each<[string, Asked]>([
    ['a later page', { page: 2 }],
    ['an older publication', { ageMs: 500 }],
    ['a known pagination session', { isKnown: true }],
  ])('does not wait for another process in the case of %s', async (_what, asked) => {
    expect(await heedsAnother(asked)).toBe(false);
  });
});
