import { CHART_DAYS, chartDays } from './days-chart';

describe('days chart', () => {
  const now = new Date('2026-11-24T12:00:00Z');
  const day = (name: string, listings: number, added = 0) => ({ day: name, listings, added, changed: 0, removed: 0 });

  it('repeats the number of listings of the previous day on a day without a publication', () => {
    expect(chartDays([day('2026-11-21', 5, 5), day('2026-11-23', 7, 2)], now)).toEqual([
      { ...day('2026-11-21', 5, 5), isPublished: true },
      { ...day('2026-11-22', 5), isPublished: false },
      { ...day('2026-11-23', 7, 2), isPublished: true },
      { ...day('2026-11-24', 7), isPublished: false },
    ]);
  });

  it('begins with the last list before the first day, without the changes of that list', () => {
    const all = chartDays([day('2026-01-01', 40, 40)], now);
    expect([all.length, all[0]]).toEqual([CHART_DAYS, { ...day('2026-08-27', 40), isPublished: false }]);
  });

  it('is empty when nothing was published', () => {
    expect(chartDays([], now)).toEqual([]);
  });
});
