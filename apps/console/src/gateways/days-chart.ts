import type { GatewayDay } from '@passerelle/database';
import { html, type Content } from '@passerelle/html';
import { table } from '../layout/elements';
import type { Visit } from '../layout/page';

/** Number of days shown. */
export const CHART_DAYS = 90;
const DAY_MS = 86_400_000;
const [WIDTH, LINE_HEIGHT, BAR_HEIGHT] = [720, 110, 40];

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

/** The numbers of all, added, changed and removed listings per day, as a chart and a table. */
export function daysChart(visit: Visit, days: readonly GatewayDay[]): Content {
  const { texts, number } = visit.language;
  const { chart, run } = texts;
  const all = chartDays(days, visit.now);
  const last = all.at(-1);
  if (last === undefined) return html`<p class="faint">${chart.nothing}</p>`;
  const mostListings = Math.max(1, ...all.map(({ listings }) => listings));
  const mostChanges = Math.max(1, ...all.map(changesOf));
  const step = WIDTH / CHART_DAYS;
  const left = WIDTH - all.length * step;
  const x = (index: number): string => (left + index * step).toFixed(1);
  const y = ({ listings }: ChartDay): string =>
    (LINE_HEIGHT - (listings / mostListings) * (LINE_HEIGHT - 10)).toFixed(1);
  const line = all.map((day, index) => `${index === 0 ? 'M' : 'L'}${x(index)} ${y(day)}H${x(index + 1)}`).join('');
  const bars = all.map((day, index) => {
    const height = (changesOf(day) / mostChanges) * (BAR_HEIGHT - 4);
    return height === 0
      ? null
      : html`<rect
          x="${x(index)}"
          y="${(LINE_HEIGHT + BAR_HEIGHT - height).toFixed(1)}"
          width="${(step - 1).toFixed(1)}"
          height="${height.toFixed(1)}"
          ><title>${day.day}: +${day.added} ~${day.changed} −${day.removed}</title></rect
        >`;
  });
  const label = chart.label(number(all[0]?.listings ?? 0), number(last.listings), all.length);
  return html`<figure class="chart">
    <svg viewBox="0 0 ${WIDTH} ${LINE_HEIGHT + BAR_HEIGHT}" role="img" aria-label="${label}">
      <path d="${line}" />
      ${bars}
    </svg>
    <figcaption class="faint">${label}</figcaption>
    <details>
      <summary>${chart.figures}</summary>
      ${table(
        chart.figures,
        [
          { title: chart.day, value: ({ day }) => day },
          figure(texts.listings, ({ listings }) => number(listings)),
          figure(run.rows.added, ({ added }) => number(added)),
          figure(run.rows.changed, ({ changed }) => number(changed)),
          figure(run.rows.removed, ({ removed }) => number(removed)),
        ],
        all.filter(({ isPublished }) => isPublished).reverse(),
        texts.nothing,
      )}
    </details>
  </figure>`;
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
