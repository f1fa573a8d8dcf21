import { html, type Content, type Html } from '@passerelle/html';
import type { Visit } from './page';

export interface ChartPoint {
  /** `YYYY-MM-DD`, in UTC. */
  day: string;
  /** Null when unknown. */
  value: number | null;
  /** The text of the tooltip. */
  text: string;
}

export interface Chart {
  title: string;
  kind: 'line' | 'bars';
  tone?: 'bad';
  points: readonly ChartPoint[];
}

const [WIDTH, HEIGHT] = [1000, 100];
const SHOWN_DATES = 5;

/** A chart of days with both axes. The texts are HTML, so that they stay readable on a phone. */
export function chart({ language }: Visit, { title, kind, tone, points }: Chart): Html {
  const { number, texts, shortDay } = language;
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const highest = Math.max(0, ...values);
  const top = roundedUp(highest);
  const step = WIDTH / points.length;
  const y = (value: number): string => (HEIGHT - (value / top) * HEIGHT).toFixed(2);
  const [first, last] = [points[0], points.at(-1)];
  const days =
    first === undefined || last === undefined ? '' : texts.trend.from(shortDay(first.day), shortDay(last.day));
  const label = `${title}${texts.colon}${days}, ${texts.trend.highest(number(highest))}`;
  const dates = [
    ...new Set(
      Array.from({ length: SHOWN_DATES }, (_, at) => Math.round((at * (points.length - 1)) / (SHOWN_DATES - 1))),
    ),
  ];
  return html`<figure class="chart ${tone ?? ''}">
    <figcaption>${title}<br /><span class="faint">${texts.trend.highest(number(highest))}</span></figcaption>
    <div class="plot">
      <div class="values" aria-hidden="true">
        <span>${number(top)}</span><span>${number(top / 2)}</span><span>0</span>
      </div>
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">
        <path class="grid" d="M0 0H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT}H${WIDTH}" />
        ${kind === 'line' ? lineOf(points, step, y) : null}
        ${points.map(({ value, text }, at) => barOf({ value, text }, { kind, x: at * step, step, y }))}
      </svg>
      <div class="dates" aria-hidden="true">
        ${dates.map((at) => html`<span>${shortDay(points[at]?.day ?? '')}</span>`)}
      </div>
    </div>
  </figure>`;
}

/** Horizontal at each day; interrupted where the value is unknown. */
function lineOf(points: readonly ChartPoint[], step: number, y: (value: number) => string): Html {
  const parts = points.map(({ value }, at) => {
    if (value === null) return '';
    const isFirst = at === 0 || points[at - 1]?.value === null;
    return `${isFirst ? 'M' : 'L'}${(at * step).toFixed(1)} ${y(value)}H${((at + 1) * step).toFixed(1)}`;
  });
  return html`<path class="line" d="${parts.join('')}" />`;
}

/** The bar of a day; over a line, an invisible one over the full height with the day's tooltip. */
function barOf(
  { value, text }: Pick<ChartPoint, 'value' | 'text'>,
  { kind, x, step, y }: { kind: Chart['kind']; x: number; step: number; y: (value: number) => string },
): Content {
  if (value === null || (kind === 'bars' && value === 0)) return null;
  const top = kind === 'line' ? '0' : y(value);
  const height = (HEIGHT - Number(top)).toFixed(2);
  return html`<rect
    class="${kind === 'line' ? 'hover' : 'bar'}"
    x="${x.toFixed(1)}"
    y="${top}"
    width="${(step * 0.85).toFixed(1)}"
    height="${height}"
    ><title>${text}</title></rect
  >`;
}

/** The end of an axis: 2, 4 or 10 times a power of ten, so that its half is a round number too. */
export function roundedUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return [1, 2, 4, 6, 8, 10].map((times) => times * power).find((end) => end >= value && end % 2 === 0) ?? 10 * power;
}
