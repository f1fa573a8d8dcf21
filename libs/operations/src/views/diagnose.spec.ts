import { diagnose } from './diagnose';
import type { InstallationFacts } from './findings';

const NOW = new Date('2026-11-24T12:00:00Z');

function facts(own: Partial<InstallationFacts> = {}): InstallationFacts {
  const session = (program: string, role: string) => ({
    program,
    release: '1.2.0',
    role: `p_${role}`,
    count: 3,
    processes: 1,
  });
  return {
    release: '1.2.0',
    composeRelease: '1.2.0',
    server: {
      ...{
        version: '18.4',
        now: NOW,
        isReadOnly: false,
        missing: [],
        newest: null,
        ahead: [],
        database: 'p',
        bytes: 2 ** 30,
      },
      role: { name: 'p_ingest', isSuperuser: false, ownsTables: false },
      roles: ['p_ingest', 'p_operate', 'p_serve'],
      sessions: [session('api', 'serve'), session('ingestor', 'ingest')],
      connections: { used: 20, allowed: 97 },
    },
    asked: { at: NOW, tookMs: 4 },
    replica: { isReplica: true, lagBytes: 1_000 },
    badSettings: [],
    unfit: { fault: null, keys: 0, sources: [] },
    queue: { silentSeconds: null, unannounced: 0, isPaused: false },
    disks: [{ path: '/data', free: 50, size: 100 }],
    rows: [],
    now: NOW,
    ...own,
  };
}

const wrong = (own: Partial<InstallationFacts>): string[] =>
  diagnose(facts(own)).flatMap(({ check, state, next }) =>
    state === 'good' ? [] : [`${check} ${state}: ${next ?? ''}`],
  );

describe('the diagnosis of an installation', () => {
  it('has no advice when everything works', () => {
    expect(diagnose(facts()).filter(({ state, next }) => state !== 'good' || next !== null)).toEqual([]);
  });

  it.each([
    [
      'clocks that differ',
      { asked: { at: new Date('2026-11-24T12:00:05Z'), tookMs: 4 } },
      /^clocks bad: .*time servers/,
    ],
    [
      'a replica far behind',
      { replica: { isReplica: true, lagBytes: 2 ** 30 } },
      /^replica warn: the API reads from the primary/,
    ],
    [
      'a queue that is paused',
      { queue: { silentSeconds: null, unannounced: 0, isPaused: true } },
      /^queue bad: restart an ingestor/,
    ],
    [
      'a missing announcer',
      { queue: { silentSeconds: 300, unannounced: 0, isPaused: false } },
      /^announcer bad: start an ingestor/,
    ],
    ['a disk that fills', { disks: [{ path: '/data', free: 15, size: 100 }] }, /^disk warn: free some space/],
    ['a disk that is full', { disks: [{ path: '/data', free: 1, size: 100 }] }, /^disk bad: free some space/],
    [
      'many connections',
      { server: { ...facts().server, connections: { used: 90, allowed: 97 } } },
      /^connections warn: raise/,
    ],
    [
      'a superuser at the command line',
      { server: { ...facts().server, role: { name: 'postgres', isSuperuser: true, ownsTables: true } } },
      /^roles warn: use p_ingest/,
    ],
  ])('has one line for %s', (_what, own, line) => {
    expect(wrong(own)).toEqual([expect.stringMatching(line)]);
  });

  it('does not mistake the duration of the query for a clock difference', () => {
    expect(wrong({ asked: { at: new Date('2026-11-24T12:00:05Z'), tookMs: 4_000 } })).toEqual([]);
  });

  it('omits compose file and replica when they do not exist', () => {
    const checks = diagnose(facts({ composeRelease: null, replica: null })).map(({ check }) => check);
    expect(checks).not.toContain('compose file');
    expect(checks).not.toContain('replica');
  });
});
