import type { Random } from '../random';

/** The size of every photo, in pixels. */
export const WIDTH = 800;
export const HEIGHT = 600;

type Points = readonly (readonly [x: number, y: number])[];

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function rect({ x, y, width, height }: Box, fill: string, attributes = ''): string {
  return `<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" fill="${fill}" ${attributes}/>`;
}

export function polygon(points: Points, fill: string): string {
  return `<polygon points="${points.map(([x, y]) => `${short(x)},${short(y)}`).join(' ')}" fill="${fill}"/>`;
}

export function ellipse(x: number, y: number, radiusX: number, radiusY: number, fill: string, opacity = 1): string {
  return `<ellipse cx="${short(x)}" cy="${short(y)}" rx="${short(radiusX)}" ry="${short(radiusY)}" fill="${fill}" opacity="${short(opacity)}"/>`;
}

/** From top to bottom, over the whole picture's height. */
export function gradient(name: string, from: string, to: string): string {
  return `<linearGradient id="${name}" x2="0" y2="${HEIGHT}" gradientUnits="userSpaceOnUse"><stop stop-color="${from}"/><stop offset=".75" stop-color="${to}"/></linearGradient>`;
}

/** A colour near a hue: no two are quite alike. */
export function tint(random: Random, hue: number, saturation: number, lightness: number): string {
  const near = (value: number, spread: number): number => Math.round(value + (random.next() - 0.5) * spread);
  return `hsl(${near(hue, 14)},${near(saturation, 10)}%,${near(lightness, 8)}%)`;
}

export function times(count: number, draw: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => draw(index)).join('');
}

const short = (value: number): number => Math.round(value * 10) / 10;
