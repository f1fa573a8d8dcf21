import { dutyMask, type ListingTrace, type TracedRejection } from '@passerelle/domain';
import { explainListing, type WhyView } from './explain-listing';

const T1 = '2025-11-20T10:00:00+00:00';
const T2 = '2025-11-21T10:00:00+00:00';

function aTrace(known: Partial<ListingTrace> = {}): ListingTrace {
  return {
    ...{ affId: 'A1', listed: null, change: null, held: null, rejection: null, lastReading: null },
    ...{ nameless: null, replacedBy: null, lostPhotos: { count: 0, examples: [] } },
    ...known,
  };
}

function aRejection(known: Partial<TracedRejection> = {}): TracedRejection {
  return {
    ...{ runId: 7, runState: 'published', at: T2, position: 3, recordId: 'A1', field: 'price', code: 'invalid_value' },
    ...{ message: 'the price is no number', excerpt: '<price>abc</price>' },
    ...known,
  };
}

function explain(known: Partial<ListingTrace>): Omit<WhyView, 'id' | 'crm' | 'client'> {
  const { id, crm, client, ...rest } = explainListing({ id: 'A1', crm: 'kyero', client: 'port' }, aTrace(known));
  expect({ id, crm, client }).toEqual({ id: 'A1', crm: 'kyero', client: 'port' });
  return rest;
}

const added = { kind: 'added', runId: 5, snapshotId: 50, at: T1, cause: null } as const;
const removed = { kind: 'removed', runId: 6, snapshotId: 60, at: T2, cause: 'absent' } as const;
const shownRejection = {
  ...{ run: 7, position: 3, id: 'A1', field: 'price', reason: 'invalid_value', message: 'the price is no number' },
  excerpt: '<price>abc</price>',
};

describe('explanation of a listing', () => {
  it('states why the whole gateway is not served or does not run', () => {
    const trouble = {
      inactive: 'it is disabled',
      paused: 'it is paused',
      failing: { since: T1, reason: 'the source answered 401' },
    };
    const { state, explanation } = explainListing({ id: 'A1', crm: 'kyero', client: 'port' }, aTrace(), trouble);
    expect([state, explanation]).toEqual([
      'unknown',
      'No run of this gateway has read a record yet. The gateway is not served: it is disabled. ' +
        'The gateway does not run: it is paused. ' +
        `Every run has failed since ${T1}: the source answered 401.`,
    ]);
  });

  it('names photos that are not shown', () => {
    const examples = [
      { name: 'a.jpg', refusal: null },
      { name: 'b.jpg', refusal: 'too large' },
    ];
    const { explanation, lost_photos } = explain({
      listed: { snapshotId: 51, position: 4, total: 200, duties: 0, keptSince: null },
      lostPhotos: { count: 3, examples },
    });
    expect(explanation).toBe(
      'It is number 4 of the 200 that are served, in snapshot 51. ' +
        '3 of its photos are missing, or cannot be shown: a.jpg, b.jpg (too large), ….',
    );
    expect(lost_photos).toEqual([
      { name: 'a.jpg', reason: null },
      { name: 'b.jpg', reason: 'too large' },
    ]);
  });

  it('names legally required data that the listing lacks', () => {
    const duties = dutyMask('FR', ['fr-dpe', 'fr-honoraires']);
    const { explanation, duties_missing } = explain({
      listed: { snapshotId: 51, position: 4, total: 200, duties, keptSince: null },
    });
    expect(explanation).toBe(
      'It is number 4 of the 200 that are served, in snapshot 51. ' +
        'It lacks data that the law requires: fr-dpe, fr-honoraires.',
    );
    expect(duties_missing).toEqual(['fr-dpe', 'fr-honoraires']);
  });

  it('states the position of a served listing', () => {
    expect(
      explain({ listed: { snapshotId: 51, position: 4, total: 200, duties: 0, keptSince: null }, change: added }),
    ).toEqual({
      state: 'listed',
      explanation: 'It is number 4 of the 200 that are served, in snapshot 51; added by run 5.',
      aff_id: 'A1',
      position: 4,
      snapshot: 51,
      since: T1,
      run: 5,
      change: { kind: 'added', run: 5, snapshot: 50, at: T1 },
    });
  });

  it('warns of a held run that would remove a served listing, and of a newer rejection', () => {
    const view = explain({
      listed: { snapshotId: 51, position: 4, total: 200, duties: 0, keptSince: null },
      change: added,
      held: { kind: 'removed', runId: 7, at: T2, reason: null },
      rejection: aRejection({ runState: 'held' }),
    });
    expect(view.explanation).toBe(
      'It is number 4 of the 200 that are served, in snapshot 51; added by run 5; run 7 is held, and marks it as removed; ' +
        'run 7, which is held, rejected a record of it: the price is no number.',
    );
    expect(view.rejection).toEqual(shownRejection);
  });

  it('states since when a served listing is kept because its record is unreadable', () => {
    const { explanation, kept_since } = explain({
      listed: { snapshotId: 51, position: 4, total: 200, duties: 0, keptSince: T2 },
      change: added,
    });
    expect(explanation).toBe(
      `It is number 4 of the 200 that are served, in snapshot 51; its record is unreadable: the last version has been kept since ${T2}; added by run 5.`,
    );
    expect(kept_since).toBe(T2);
  });

  it('ignores a rejection from before the listing was added', () => {
    const view = explain({
      listed: { snapshotId: 51, position: 4, total: 200, duties: 0, keptSince: null },
      change: added,
      rejection: aRejection({ runId: 4 }),
    });
    expect(view).not.toHaveProperty('rejection');
    expect(view.explanation).not.toContain('rejected');
  });

  it('names the run that removed the listing', () => {
    expect(explain({ change: removed, lastReading: { runId: 9, at: T2 } })).toEqual({
      state: 'removed',
      explanation: 'Run 6 removed it: the feed no longer had it.',
      cause: 'absent',
      aff_id: 'A1',
      since: T2,
      run: 6,
      snapshot: 60,
      change: { kind: 'removed', run: 6, snapshot: 60, at: T2 },
    });
  });

  it.each([
    ['withdrawn', 'the feed said that it must not be shown'],
    ['revert', 'an operator went back to an earlier list, which does not have it'],
  ] as const)('names the cause of a removal that the feed did not cause: %s', (cause, words) => {
    expect(explain({ change: { ...removed, cause } })).toMatchObject({
      ...{ state: 'removed', cause, explanation: `Run 6 removed it: ${words}.` },
    });
  });

  it('names a record without an identifier that contains the text', () => {
    const nameless = aRejection({ recordId: null, field: 'id', code: 'missing_id', message: 'it has no identifier' });
    expect(explain({ affId: null, nameless, lastReading: { runId: 7, at: T2 } })).toMatchObject({
      state: 'rejected',
      explanation: 'Run 7 rejected record 3, which has no identifier and contains this text: it has no identifier.',
      rejection: { run: 7, position: 3, excerpt: '<price>abc</price>' },
    });
  });

  it('names the rejection that caused a removal', () => {
    expect(explain({ change: removed, rejection: aRejection({ runId: 6 }) })).toMatchObject({
      state: 'rejected',
      explanation: 'Run 6 rejected its record 3 (field price): the price is no number.',
      since: T2,
      run: 6,
    });
  });

  it('prefers the most recent event', () => {
    expect(explain({ change: removed, rejection: aRejection({ runId: 5 }) }).state).toBe('removed');
    expect(explain({ change: removed, rejection: aRejection({ runId: 7 }) }).state).toBe('rejected');
    expect(explain({ change: removed, held: { kind: 'added', runId: 8, at: T2, reason: null } }).state).toBe('held');
  });

  it('states that the feed itself withdraws the listing', () => {
    const rejection = aRejection({ code: 'withdrawn', field: null, message: 'the listing is sold' });
    expect(explain({ rejection, lastReading: { runId: 9, at: T2 } })).toMatchObject({
      state: 'withdrawn',
      explanation:
        'Record 3 of run 7 withdraws it: the listing is sold; no later run has seen it, and the last one is run 9.',
    });
  });

  it('names the run that holds the listing back', () => {
    expect(explain({ held: { kind: 'added', runId: 8, at: T2, reason: 'half of it would vanish' } })).toEqual({
      state: 'held',
      explanation: 'Run 8 found it, and is held: half of it would vanish.',
      aff_id: 'A1',
      since: T2,
      run: 8,
    });
  });

  it('states that no run has seen the listing', () => {
    expect(explain({ affId: null, lastReading: { runId: 9, at: T2 } })).toEqual({
      state: 'unknown',
      last_read: T2,
      explanation:
        'No run on record has seen it, neither as a listing nor as a rejection; the last run that read the feed is run 9.',
    });
    expect(explain({ affId: null }).explanation).toBe('No run of this gateway has read a record yet.');
  });
});
