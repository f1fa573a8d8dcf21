import type { Random } from '../random';
import { bushes, GROUND, outside, tree } from './landscape';
import { type Box, ellipse, HEIGHT, polygon, rect, times, tint, WIDTH } from './svg';

interface Look {
  wall: string;
  roof: string;
  frame: string;
  glass: string;
  shutter: string | null;
}

function inventLook(random: Random): Look {
  return {
    wall: tint(random, random.pick([38, 45, 20, 50, 210]), random.integer(12, 45), random.integer(72, 90)),
    roof: tint(random, random.pick([14, 18, 220, 25]), random.integer(12, 48), random.integer(34, 50)),
    frame: random.chance(0.7) ? '#f7f5f0' : '#4a4540',
    glass: tint(random, 205, 30, random.integer(35, 62)),
    shutter: random.chance(0.65) ? tint(random, random.integer(0, 360), 35, 48) : null,
  };
}

/** A house in its garden. */
export function house(random: Random): string {
  const look = inventLook(random);
  const [width, floors] = [random.integer(320, 520), random.integer(1, 2)];
  const height = floors * 105 + 20;
  const body = { x: (WIDTH - width) / 2 + random.integer(-70, 70), y: GROUND + 20 - height, width, height };
  const columns = random.integer(3, 5);
  return [
    outside(random),
    tree(random, body.x - random.integer(20, 80), GROUND + 20),
    random.chance(0.6) ? chimney(random, body) : '',
    rect(body, look.wall),
    roof(random, body, look.roof),
    times(floors, (floor) =>
      windows(look, { ...body, y: body.y + 18 + floor * 105, height: 78 }, columns, floor === floors - 1),
    ),
    door(random, body),
    polygon(
      [
        [body.x + width / 2 - 28, GROUND + 20],
        [body.x + width / 2 + 28, GROUND + 20],
        [480, HEIGHT],
        [320, HEIGHT],
      ],
      tint(random, 40, 15, 74),
    ),
    bushes(random, random.integer(4, 10), GROUND + 24),
    random.chance(0.6) ? tree(random, body.x + width + random.integer(20, 80), GROUND + random.integer(30, 60)) : '',
  ].join('');
}

function chimney(random: Random, body: Box): string {
  return rect(
    { x: body.x + body.width * (random.chance(0.5) ? 0.2 : 0.75), y: body.y - 110, width: 34, height: 90 },
    tint(random, 12, 35, 46),
  );
}

function roof(random: Random, { x, y, width }: Box, colour: string): string {
  const [height, inset] = [random.integer(60, 110), random.pick([width / 2, width * 0.2, 12])];
  return polygon(
    [
      [x - 22, y + 4],
      [x + inset, y - height],
      [x + width - inset, y - height],
      [x + width + 22, y + 4],
    ],
    colour,
  );
}

/** A row of windows; in the middle of the lowest one is the door. */
function windows(look: Look, row: Box, columns: number, isLowest: boolean): string {
  const step = row.width / columns;
  return times(columns, (column) => {
    if (isLowest && column === Math.floor(columns / 2)) return '';
    return oneWindow(look, { x: row.x + step * (column + 0.5) - 24, y: row.y, width: 48, height: row.height });
  });
}

function oneWindow({ frame, glass, shutter }: Look, { x, y, width, height }: Box): string {
  const pane = { x: x + 4, y: y + 4, width: width - 8, height: height - 8 };
  return [
    shutter === null
      ? ''
      : rect({ x: x - 20, y, width: 18, height }, shutter) + rect({ x: x + width + 2, y, width: 18, height }, shutter),
    rect({ x, y, width, height }, frame),
    rect(pane, glass),
    polygon(
      [
        [pane.x, pane.y + pane.height],
        [pane.x + pane.width, pane.y],
        [pane.x + pane.width, pane.y + pane.height],
      ],
      '#ffffff22',
    ),
    rect({ x: x + width / 2 - 2, y, width: 4, height }, frame),
  ].join('');
}

function door(random: Random, body: Box): string {
  const [x, y] = [body.x + body.width / 2 - 26, body.y + body.height - 92];
  const colour = tint(random, random.integer(0, 360), 40, 36);
  return (
    rect({ x: x - 5, y: y - 5, width: 62, height: 97 }, '#f2efe8') +
    rect({ x, y, width: 52, height: 92 }, colour) +
    ellipse(x + 44, y + 48, 3, 3, '#e6c46a')
  );
}

/** A house of flats in its street. */
export function block(random: Random): string {
  const look = inventLook(random);
  const [floors, columns] = [random.integer(4, 7), random.integer(4, 7)];
  const [width, height] = [columns * random.integer(78, 96), floors * 62 + 40];
  const body = { x: (WIDTH - width) / 2 + random.integer(-40, 40), y: GROUND + 60 - height, width, height };
  const balcony = random.chance(0.6);
  return [
    outside(random, 35),
    times(2, (side) =>
      rect({ x: side * 560 - 60, y: random.integer(170, 270), width: 300, height: 330 }, tint(random, 35, 18, 70)),
    ),
    rect(body, look.wall),
    random.chance(0.5)
      ? roof(random, body, look.roof)
      : rect({ ...body, x: body.x - 8, y: body.y - 10, width: width + 16, height: 14 }, look.roof),
    times(floors - 1, (floor) => {
      const row = { ...body, y: body.y + 14 + floor * 62, height: 42 };
      return (
        windows({ ...look, shutter: null }, row, columns, false) + (balcony ? railing({ ...row, y: row.y + 26 }) : '')
      );
    }),
    rect({ ...body, y: body.y + height - 72, height: 72 }, tint(random, 30, 12, 60)),
    times(columns, (column) =>
      rect(
        { x: body.x + 14 + (column * width) / columns, y: body.y + height - 56, width: 46, height: 56 },
        column === 1 ? '#4d3b2a' : look.glass,
      ),
    ),
    rect({ x: 0, y: 500, width: WIDTH, height: 24 }, '#c9c6bf'),
    rect({ x: 0, y: 524, width: WIDTH, height: 76 }, '#6d7076'),
    times(random.integer(1, 3), () => tree(random, random.integer(20, 780), 505)),
    car(random),
  ].join('');
}

function railing({ x, y, width }: Box): string {
  return (
    rect({ x: x + 8, y, width: width - 16, height: 20 }, '#2d333a55') +
    rect({ x: x + 8, y, width: width - 16, height: 3 }, '#2d333a')
  );
}

function car(random: Random): string {
  const [x, y] = [random.integer(40, 620), 520];
  const paint = tint(random, random.integer(0, 360), 45, 45);
  return [
    polygon(
      [
        [x + 25, y],
        [x + 45, y - 26],
        [x + 105, y - 26],
        [x + 128, y],
      ],
      '#aebfcc',
    ),
    rect({ x, y, width: 150, height: 30 }, paint, 'rx="10"'),
    times(2, (wheel) => ellipse(x + 32 + wheel * 86, y + 30, 15, 15, '#22252a')),
  ].join('');
}

/** A shop in its street. */
export function shop(random: Random): string {
  const [wood, awning] = [tint(random, random.integer(0, 360), 35, 32), random.integer(0, 360)];
  return [
    rect({ x: 0, y: 0, width: WIDTH, height: HEIGHT }, tint(random, 38, 25, 78)),
    times(4, (index) => oneWindow(inventLook(random), { x: 90 + index * 190, y: 20, width: 56, height: 96 })),
    rect({ x: 40, y: 165, width: 720, height: 345 }, wood),
    rect({ x: 60, y: 178, width: 680, height: 48 }, tint(random, awning, 30, 88)),
    times(17, (index) =>
      polygon(
        [
          [40 + index * 42.4, 232],
          [82.4 + index * 42.4, 232],
          [72 + index * 43, 285],
          [28 + index * 43, 285],
        ],
        index % 2 === 0 ? tint(random, awning, 55, 45) : '#f6f2ea',
      ),
    ),
    times(2, (index) => rect({ x: 70 + index * 400, y: 290, width: 260, height: 190 }, tint(random, 205, 25, 45))),
    times(random.integer(6, 14), () =>
      ellipse(
        random.pick([90, 490]) + random.integer(0, 220),
        random.integer(400, 465),
        random.integer(10, 24),
        random.integer(10, 30),
        tint(random, random.integer(0, 360), 50, 60),
      ),
    ),
    rect({ x: 355, y: 292, width: 92, height: 218 }, tint(random, awning, 25, 26)) +
      rect({ x: 368, y: 305, width: 66, height: 150 }, '#9fb4c0'),
    rect({ x: 0, y: 510, width: WIDTH, height: 90 }, tint(random, 35, 8, 62)),
  ].join('');
}

/** A garage with its door. */
export function garage(random: Random): string {
  const [panels, doors] = [random.integer(4, 7), random.integer(1, 2)];
  const colour = tint(random, random.integer(0, 360), 12, 78);
  return [
    outside(random, 40),
    rect({ x: 70, y: 150, width: 660, height: 330 }, tint(random, 40, 22, 80)),
    rect({ x: 55, y: 135, width: 690, height: 26 }, tint(random, 16, 38, 42)),
    times(doors, (index) => {
      const width = doors === 1 ? 480 : 280;
      const x = doors === 1 ? 160 : 105 + index * 310;
      const panel = 250 / panels;
      return times(panels, (row) => rect({ x, y: 230 + row * panel, width, height: panel - 4 }, colour));
    }),
    rect({ x: 0, y: 480, width: WIDTH, height: 120 }, tint(random, 30, 6, 58)),
    bushes(random, random.integer(0, 5), 482),
    random.chance(0.4) ? car(random) : '',
  ].join('');
}
