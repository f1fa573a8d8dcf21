import type { GatewayDay } from '@passerelle/database';
import { html, type Content } from '@passerelle/html';
import { chart, type ChartPoint } from '../layout/chart';
import { table } from '../layout/elements';
import type { Visit } from '../layout/page';

/** Number of days shown. */
export const CHART_DAYS = 90;
const DAY_MS = 86_400_000;

/** A day of the chart; without a publication, with the listings of the previous day. */
export interface ChartDay extends GatewayDay {
  isPublished: boolean;
}

/** Every day up to today, from the first known one. */
export function chartDays(days: readonly GatewayDay[], now: Date): ChartDay[] {
  const known = new Map(days.map((day) => [day.day, day]));
  const first = days[0];
  if (first === undefined) return [];
  const startMs = now.getTime() - (CHART_DAYS - 1) * DAY_MS;
  const all: ChartDay[] = [];
  let listings = first.day < dayOf(startMs) ? first.listings : null;
  for (let index = 0; index < CHART_DAYS; index += 1) {
    const day = dayOf(startMs + index * DAY_MS);
    const published = known.get(day);
    listings = published?.listings ?? listings;
    if (listings === null) continue;
    const nothing = { day, listings, added: 0, changed: 0, removed: 0 };
    all.push({ ...(published ?? nothing), isPublished: published !== undefined });
  }
  return all;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The numbers of all, added, changed and removed listings per day, as charts and a table. */
export function daysChart(visit: Visit, days: readonly GatewayDay[]): Content {
  const { texts, number, shortDay } = visit.language;
  const { chart: words, run, trend } = texts;
  const all = chartDays(days, visit.now);
  const last = all.at(-1);
  if (last === undefined) return html`<p class="faint">${words.nothing}</p>`;
  const textOf = ({ day, listings, added, changed, removed }: ChartDay): string =>
    `${shortDay(day)}${texts.colon}${number(listings)} (+${added} ~${changed} −${removed})`;
  const points = (of: (day: ChartDay) => number): ChartPoint[] =>
    all.map((day) => ({ day: day.day, value: of(day), text: textOf(day) }));
  return html`<div class="charts">
      ${chart(visit, { title: texts.listings, kind: 'line', points: points(({ listings }) => listings) })}
      ${chart(visit, { title: trend.changes, kind: 'bars', points: points(changesOf) })}
    </div>
    <p class="faint">${words.label(number(all[0]?.listings ?? 0), number(last.listings), all.length)}</p>
    <details>
      <summary>${words.figures}</summary>
      ${table(
        words.figures,
        [
          { title: words.day, value: ({ day }) => day },
          figure(texts.listings, ({ listings }) => number(listings)),
          figure(run.rows.added, ({ added }) => number(added)),
          figure(run.rows.changed, ({ changed }) => number(changed)),
          figure(run.rows.removed, ({ removed }) => number(removed)),
        ],
        all.filter(({ isPublished }) => isPublished).reverse(),
        texts.nothing,
      )}
    </details>`;
}

function figure(
  title: string,
  value: (day: ChartDay) => string,
): { title: string; value: (day: ChartDay) => string; isFigure: true } {
  return { title, value, isFigure: true };
}

function changesOf({ added, changed, removed }: GatewayDay): number {
  return added + changed + removed;
}
