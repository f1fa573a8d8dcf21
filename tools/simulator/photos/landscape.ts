import type { Random } from '../random';
import { ellipse, gradient, HEIGHT, polygon, rect, times, tint, WIDTH } from './svg';

/** Where the ground begins under a house. */
export const GROUND = 440;

/** Sky with its weather, hills far away and the ground. */
export function outside(random: Random, groundHue = 95): string {
  const evening = random.chance(0.25);
  const sky = evening
    ? gradient('sky', tint(random, 225, 45, 60), tint(random, 28, 75, 78))
    : gradient('sky', tint(random, 208, 65, 62), tint(random, 200, 60, 90));
  const ground = gradient('ground', tint(random, groundHue, 35, 58), tint(random, groundHue, 38, 38));
  return [
    `<defs>${sky}${ground}</defs>`,
    rect({ x: 0, y: 0, width: WIDTH, height: HEIGHT }, 'url(#sky)'),
    ellipse(random.integer(60, 740), random.integer(50, 160), 34, 34, evening ? '#ffd9a0' : '#fff7d6', 0.9),
    times(random.integer(2, 6), () => cloud(random)),
    times(2, (layer) => hill(random, layer)),
    rect({ x: 0, y: GROUND, width: WIDTH, height: HEIGHT - GROUND }, 'url(#ground)'),
  ].join('');
}

function cloud(random: Random): string {
  const [x, y] = [random.integer(0, WIDTH), random.integer(30, 200)];
  return times(3, (index) =>
    ellipse(x + index * 32, y + (index % 2) * -12, random.integer(28, 60), random.integer(12, 22), '#fff', 0.7),
  );
}

function hill(random: Random, layer: number): string {
  const [left, right] = [random.integer(300, 400) + layer * 25, random.integer(300, 400) + layer * 25];
  const peak = random.integer(100, 700);
  return polygon(
    [
      [0, left],
      [peak, random.integer(260, 330) + layer * 40],
      [WIDTH, right],
      [WIDTH, HEIGHT],
      [0, HEIGHT],
    ],
    tint(random, 120 + layer * 10, 22, 62 - layer * 10),
  );
}

export function tree(random: Random, x: number, base: number): string {
  const height = random.integer(90, 190);
  const crown = tint(random, 105, 35, 32);
  const trunk = rect({ x: x - 6, y: base - height / 2, width: 12, height: height / 2 }, tint(random, 25, 35, 28));
  if (random.chance(0.3))
    return (
      trunk +
      polygon(
        [
          [x - height / 4, base - height / 3],
          [x, base - height * 1.3],
          [x + height / 4, base - height / 3],
        ],
        crown,
      )
    );
  const leaves = times(4, (index) =>
    ellipse(
      x + (index - 1.5) * 22,
      base - height * 0.75 + (index % 2) * 16,
      38,
      34,
      index % 2 === 0 ? crown : tint(random, 100, 38, 38),
    ),
  );
  return trunk + leaves;
}

export function bushes(random: Random, count: number, y: number): string {
  return times(count, () =>
    ellipse(random.integer(0, WIDTH), y, random.integer(22, 60), random.integer(14, 30), tint(random, 110, 38, 34)),
  );
}

/** A plot: grass in stripes, a fence, nothing on it. */
export function plot(random: Random): string {
  const fence = times(21, (index) => rect({ x: index * 40, y: GROUND - 34, width: 7, height: 44 }, '#b99b74'));
  return [
    outside(random, random.integer(70, 110)),
    times(7, (index) =>
      polygon(
        [
          [400 + (index - 3) * 40, GROUND],
          [400 + (index - 2.6) * 40, GROUND],
          [(index - 2.6) * 260 + 400, HEIGHT],
          [(index - 3) * 260 + 400, HEIGHT],
        ],
        tint(random, 88, 40, 50),
      ),
    ),
    fence,
    rect({ x: 0, y: GROUND - 22, width: WIDTH, height: 5 }, '#b99b74'),
    times(random.integer(1, 4), () => tree(random, random.integer(30, 770), GROUND + random.integer(0, 40))),
    bushes(random, random.integer(2, 7), GROUND + 12),
  ].join('');
}

/** A garden, with a pool where there is one. */
export function garden(random: Random): string {
  const pool = random.chance(0.4);
  const [x, y] = [random.integer(300, 500), random.integer(505, 530)];
  return [
    outside(random),
    bushes(random, 14, GROUND + 4),
    times(random.integer(2, 4), () => tree(random, random.integer(20, 780), GROUND + random.integer(5, 50))),
    times(random.integer(6, 26), () =>
      ellipse(
        random.integer(0, WIDTH),
        random.integer(GROUND + 20, 595),
        4,
        4,
        tint(random, random.integer(0, 360), 70, 65),
      ),
    ),
    pool ? ellipse(x, y, 235, 62, '#e8e2d4') + ellipse(x, y, 215, 50, tint(random, 192, 60, 60)) : table(random, x, y),
  ].join('');
}

function table(random: Random, x: number, y: number): string {
  const wood = tint(random, 30, 40, 45);
  const parasol = tint(random, random.integer(0, 360), 60, 60);
  return [
    rect({ x: x - 3, y: y - 170, width: 6, height: 170 }, '#ddd'),
    polygon(
      [
        [x - 120, y - 120],
        [x, y - 175],
        [x + 120, y - 120],
      ],
      parasol,
    ),
    ellipse(x, y - 40, 90, 20, wood),
    times(2, (side) => rect({ x: x - 110 + side * 190, y: y - 50, width: 30, height: 50 }, wood)),
  ].join('');
}

/** What one sees from a balcony. */
export function view(random: Random): string {
  const sea = random.chance(0.5);
  return [
    outside(random, sea ? 200 : 100),
    times(random.integer(8, 16), () => {
      const [x, height] = [random.integer(0, WIDTH), random.integer(25, 80)];
      const wall = { x, y: GROUND + 10 - height, width: random.integer(30, 70), height };
      return (
        rect(wall, tint(random, 38, 35, 80)) +
        polygon(
          [
            [x - 5, wall.y],
            [x + wall.width / 2, wall.y - 20],
            [x + wall.width + 5, wall.y],
          ],
          tint(random, 15, 45, 50),
        )
      );
    }),
    rect({ x: 0, y: 545, width: WIDTH, height: 55 }, tint(random, 30, 15, 70)),
    times(32, (index) => rect({ x: index * 26, y: 440, width: 4, height: 110 }, '#3c4146')),
    rect({ x: 0, y: 432, width: WIDTH, height: 10 }, '#3c4146'),
  ].join('');
}
