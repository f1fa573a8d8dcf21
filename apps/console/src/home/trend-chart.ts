import type { InstallationDay } from '@passerelle/database';
import { html, type Content } from '@passerelle/html';
import { TREND_DAYS } from '../board/gateway-board';
import { chart, type ChartPoint } from '../layout/chart';
import { table } from '../layout/elements';
import type { Visit } from '../layout/page';

const DAY_MS = 86_400_000;

/** Listings, changes and failures of all gateways, per day. */
export function trendChart(visit: Visit, days: readonly InstallationDay[]): Content {
  const { texts, number, shortDay } = visit.language;
  const { trend, chart: words, run, overview } = texts;
  if (days.length === 0) return html`<p class="faint">${trend.nothing}</p>`;
  const known = new Map(days.map((day) => [day.day, day]));
  const all = Array.from({ length: TREND_DAYS }, (_, at) =>
    new Date(visit.now.getTime() - (TREND_DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );
  const points = (of: (day: InstallationDay) => number | null): ChartPoint[] =>
    all.map((day) => {
      const found = known.get(day);
      const value = found === undefined ? null : of(found);
      return { day, value, text: `${shortDay(day)}${texts.colon}${value === null ? '' : number(value)}` };
    });
  const figure = (title: string, of: (day: InstallationDay) => number | null) => ({
    title,
    value: (day: InstallationDay) => {
      const value = of(day);
      return value === null ? '' : number(value);
    },
    isFigure: true,
  });
  return html`<div class="charts">
      ${chart(visit, { title: trend.listings, kind: 'line', points: points(({ listings }) => listings) })}
      ${chart(visit, { title: trend.changes, kind: 'bars', points: points(({ added, changed, removed }) => added + changed + removed) })}
      ${chart(visit, { title: trend.failures, kind: 'bars', tone: 'bad', points: points(({ failed }) => failed) })}
    </div>
    <details>
      <summary>${trend.figures}</summary>
      ${table(
        trend.figures,
        [
          { title: words.day, value: ({ day }) => day },
          figure(texts.listings, ({ listings }) => listings),
          figure(run.rows.added, ({ added }) => added),
          figure(run.rows.changed, ({ changed }) => changed),
          figure(run.rows.removed, ({ removed }) => removed),
          figure(texts.nav.runs, ({ runs }) => runs),
          figure(overview.lastDayRows.failed, ({ failed }) => failed),
        ],
        [...days].reverse(),
        texts.nothing,
      )}
    </details>`;
}
