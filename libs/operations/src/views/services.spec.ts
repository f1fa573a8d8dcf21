import { backupFinding } from './services';

const NOW = new Date('2026-11-27T12:00:00Z');

describe('the finding about backups', () => {
  it.each([
    ['is absent for a backup from today', { at: '2026-11-27T01:00:00Z', failure: null }, null],
    ['is absent when no backup was ever recorded', { at: null, failure: null }, null],
    ['warns about a backup that is older than 26 hours', { at: '2026-11-26T09:00:00Z', failure: null }, 'warn'],
    ['is bad when the last attempt failed', { at: '2026-11-27T01:00:00Z', failure: 'the disk is full' }, 'bad'],
    ['is bad when the only attempt failed', { at: null, failure: 'the disk is full' }, 'bad'],
  ])('%s', (_title, facts, state) => {
    expect(backupFinding(facts, NOW)?.state ?? null).toBe(state);
  });
});
