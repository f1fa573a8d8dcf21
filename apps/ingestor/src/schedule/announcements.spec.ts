import { Announcements, type WaitingGateway } from './announcements';

const waiting = (...ids: number[]): WaitingGateway[] =>
  ids.map((gatewayId, index) => ({ gatewayId, trigger: 'schedule', turn: index + 1 }));
const movedIn = (announcements: Announcements, ...ids: number[]): number[] =>
  announcements
    .next(waiting(...ids))
    .filter(({ isMoved }) => isMoved)
    .map(({ gatewayId }) => gatewayId);

describe('gateways that wait', () => {
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
  });
});
