import type { WaitingRun } from '@passerelle/database';
import { Announcements } from './announcements';

const waiting = (...ids: number[]): WaitingRun[] =>
  ids.map((gatewayId, index) => ({ gatewayId, runId: 100 + gatewayId, trigger: 'schedule', turn: index + 1 }));
const idsOf = (gateways: readonly WaitingRun[]): number[] => gateways.map(({ gatewayId }) => gatewayId);
const movedIn = (announcements: Announcements, ...ids: number[]): number[] =>
  idsOf(announcements.next(waiting(...ids), 0).moved);

describe('gateways that wait', () => {
  it('are put on the queue once, and again when they still wait, less and less often', () => {
    const announcements = new Announcements();
    const addedAt = (nowMs: number, ...ids: number[]): number[] =>
      idsOf(announcements.next(waiting(...ids), nowMs).added);
    expect(addedAt(0, 1, 2)).toEqual([1, 2]);
    expect(addedAt(1_000, 1, 2, 3)).toEqual([3]);
    expect(addedAt(1_999, 1, 2, 3)).toEqual([]);
    expect(addedAt(2_000, 1, 2, 3)).toEqual([1, 2]);
    expect(addedAt(3_000, 1, 2, 3)).toEqual([3]);
    const times = Array.from({ length: 120 }, (_, second) => 3_000 + second * 1_000);
    expect(times.filter((nowMs) => addedAt(nowMs, 1).length > 0)).toEqual(
      [6, 14, 30, 46, 62, 78, 94, 110].map((second) => second * 1_000),
    );
  });

  it('are put on the queue at once for another run', () => {
    const announcements = new Announcements();
    const [one] = waiting(1);
    announcements.next([one!], 0);
    expect(announcements.next([{ ...one!, runId: 7 }], 1).added).toEqual([{ ...one!, runId: 7 }]);
  });

  it('are put on the queue again at once when it did not answer', () => {
    const announcements = new Announcements();
    announcements.next(waiting(1, 2), 0);
    announcements.forget();
    expect(idsOf(announcements.next(waiting(1, 2), 1).added)).toEqual([1, 2]);
  });

  it('keep the place that they were given first', () => {
    const announcements = new Announcements();
    expect(movedIn(announcements, 1, 2, 3, 4)).toEqual([]);
    expect(movedIn(announcements, 1, 2, 3, 4)).toEqual([]);
    expect(movedIn(announcements, 2, 3, 4, 5)).toEqual([2]);
  });

  it('are moved forward when they have come much closer, and not again at once', () => {
    const announcements = new Announcements();
    movedIn(announcements, 1, 2, 3, 4, 5, 6, 7, 8);
    expect(movedIn(announcements, 6, 7, 8, 1, 2, 3)).toEqual([6, 7, 8]);
    expect(movedIn(announcements, 6, 7, 8, 1, 2, 3)).toEqual([]);
  });

  it('are forgotten when they wait no longer', () => {
    const announcements = new Announcements();
    movedIn(announcements, 1, 2, 3, 4);
    movedIn(announcements, 1);
    expect(movedIn(announcements, 4)).toEqual([]);
    expect(idsOf(announcements.next(waiting(1, 2), 1).added)).toEqual([1, 2]);
  });
});
