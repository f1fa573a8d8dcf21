import type { Random } from '../random';
import { type Box, ellipse, HEIGHT, polygon, rect, times, tint, WIDTH } from './svg';

/** The wall that one looks at. */
const WALL: Box = { x: 190, y: 110, width: 420, height: 290 };
const FLOOR = WALL.y + WALL.height;

/** Walls, floor, ceiling and a window, as one sees them from the door. */
function empty(random: Random, wallHue: number, tiles: boolean): string {
  const [light, dark] = [tint(random, wallHue, 22, 86), tint(random, wallHue, 20, 76)];
  const right = WALL.x + WALL.width;
  const floor = tiles ? tint(random, 210, 6, 82) : tint(random, 30, random.integer(30, 50), random.integer(45, 65));
  const boards = times(13, (index) =>
    polygon(
      [
        [WALL.x + index * 35, FLOOR],
        [WALL.x + index * 35 + 2, FLOOR],
        [(index - 6) * 125 + 404, HEIGHT],
        [(index - 6) * 125 + 400, HEIGHT],
      ],
      '#00000022',
    ),
  );
  return [
    rect({ x: 0, y: 0, width: WIDTH, height: HEIGHT }, dark),
    polygon(
      [
        [0, 0],
        [WIDTH, 0],
        [right, WALL.y],
        [WALL.x, WALL.y],
      ],
      '#f8f7f4',
    ),
    rect(WALL, light),
    polygon(
      [
        [right, WALL.y],
        [WIDTH, 0],
        [WIDTH, HEIGHT],
        [right, FLOOR],
      ],
      tint(random, wallHue, 20, 80),
    ),
    polygon(
      [
        [WALL.x, FLOOR],
        [right, FLOOR],
        [WIDTH, HEIGHT],
        [0, HEIGHT],
      ],
      floor,
    ),
    boards,
    tiles
      ? times(5, (index) => rect({ x: 0, y: FLOOR + 12 + index * index * 11, width: WIDTH, height: 2 }, '#00000018'))
      : '',
    pane(random),
  ].join('');
}

/** A window with what is outside, somewhere in the wall. */
function pane(random: Random): string {
  const width = random.integer(100, 190);
  const box = {
    x: WALL.x + random.integer(20, WALL.width - width - 20),
    y: WALL.y + 35,
    width,
    height: random.integer(120, 165),
  };
  const horizon = box.y + box.height * 0.62;
  return [
    rect({ x: box.x - 8, y: box.y - 8, width: width + 16, height: box.height + 16 }, '#fdfcfa'),
    rect(box, tint(random, 203, 65, 82)),
    rect({ ...box, y: horizon, height: box.y + box.height - horizon }, tint(random, 110, 30, 52)),
    ellipse(box.x + width * random.next(), horizon, width / 5, 22, tint(random, 110, 30, 40)),
    rect({ x: box.x + width / 2 - 3, y: box.y, width: 6, height: box.height }, '#fdfcfa'),
    random.chance(0.6) ? curtains(random, box) : '',
  ].join('');
}

function curtains(random: Random, { x, y, width, height }: Box): string {
  const cloth = tint(random, random.integer(0, 360), 30, 72);
  return times(2, (side) =>
    rect({ x: x - 26 + side * (width + 20), y: y - 16, width: 32, height: height + 50 }, cloth),
  );
}

function rug(random: Random): string {
  const hue = random.integer(0, 360);
  return ellipse(400, 510, 250, 56, tint(random, hue, 30, 60)) + ellipse(400, 510, 215, 44, tint(random, hue, 35, 72));
}

function lamp(random: Random): string {
  const x = random.integer(330, 470);
  return (
    rect({ x: x - 1, y: 40, width: 3, height: 60 }, '#444') +
    ellipse(x, 112, random.integer(22, 46), random.integer(12, 26), tint(random, 45, 60, 80))
  );
}

function picture(random: Random): string {
  const [width, height] = [random.integer(50, 90), random.integer(40, 70)];
  const box = {
    x: random.chance(0.5) ? WALL.x + 12 : WALL.x + WALL.width - width - 12,
    y: WALL.y + random.integer(30, 60),
    width,
    height,
  };
  return (
    rect({ x: box.x - 5, y: box.y - 5, width: width + 10, height: height + 10 }, '#3a322b') +
    rect(box, tint(random, random.integer(0, 360), 45, 68)) +
    ellipse(box.x + width / 2, box.y + height / 2, width / 4, height / 4, tint(random, random.integer(0, 360), 50, 50))
  );
}

export function livingRoom(random: Random): string {
  const sofa = tint(random, random.integer(0, 360), random.integer(12, 40), random.integer(40, 65));
  const cushion = tint(random, random.integer(0, 360), 50, 62);
  const x = random.integer(170, 330);
  return [
    empty(random, random.integer(20, 60), false),
    picture(random),
    lamp(random),
    rug(random),
    rect({ x, y: 350, width: 290, height: 70 }, sofa, 'rx="14"'),
    rect({ x: x - 16, y: 392, width: 322, height: 70 }, sofa, 'rx="14" stroke="#0003"'),
    times(random.integer(1, 4), (index) =>
      rect({ x: x + 20 + index * 66, y: 366, width: 52, height: 42 }, cushion, 'rx="8"'),
    ),
    rect({ x: 320, y: 486, width: 170, height: 16 }, tint(random, 28, 45, 38), 'rx="4"'),
    times(2, (leg) => rect({ x: 332 + leg * 138, y: 500, width: 8, height: 38 }, '#4a3a2c')),
    plant(random, random.chance(0.5) ? 110 : 690),
  ].join('');
}

export function bedroom(random: Random): string {
  const [cover, wood] = [tint(random, random.integer(0, 360), 35, 66), tint(random, 28, 40, 42)];
  const width = random.integer(250, 330);
  const x = 400 - width / 2;
  return [
    empty(random, random.integer(180, 330), false),
    picture(random),
    lamp(random),
    rect({ x: x - 14, y: 290, width: width + 28, height: 130 }, wood, 'rx="10"'),
    polygon(
      [
        [x, 380],
        [x + width, 380],
        [x + width + 60, 560],
        [x - 60, 560],
      ],
      '#fbfaf8',
    ),
    polygon(
      [
        [x - 18, 435],
        [x + width + 18, 435],
        [x + width + 60, 560],
        [x - 60, 560],
      ],
      cover,
    ),
    times(2, (side) =>
      rect(
        { x: x + 18 + (side * width) / 2, y: 362, width: width / 2 - 36, height: 44 },
        '#fff',
        'rx="12" stroke="#0002"',
      ),
    ),
    times(
      2,
      (side) =>
        rect({ x: x - 86 + side * (width + 116), y: 390, width: 56, height: 62 }, wood) +
        ellipse(x - 58 + side * (width + 116), 362, 20, 24, tint(random, 45, 70, 82)),
    ),
  ].join('');
}

export function kitchen(random: Random): string {
  const [front, top] = [
    tint(random, random.integer(0, 360), random.integer(5, 40), random.integer(35, 88)),
    tint(random, 30, 12, 30),
  ];
  const units = random.integer(5, 7);
  const width = 520 / units;
  return [
    empty(random, random.integer(30, 60), true),
    times(
      units,
      (index) =>
        rect({ x: 140 + index * width, y: 330, width: width - 4, height: 130 }, front, 'stroke="#0002"') +
        rect({ x: 140 + index * width + width / 2 - 14, y: 344, width: 28, height: 4 }, '#8d8f92'),
    ),
    rect({ x: 130, y: 316, width: 540, height: 16 }, top),
    times(random.integer(1, 2), (index) =>
      rect({ x: 150 + index * 390, y: 130, width: 110, height: 90 }, front, 'stroke="#0002"'),
    ),
    rect({ x: 560, y: 200, width: 100, height: 260 }, '#dfe2e5', 'stroke="#0003"'),
    rect({ x: 300, y: 340, width: 96, height: 96 }, '#33373c') +
      times(4, (index) => ellipse(318 + index * 20, 350, 4, 4, '#c9ccd0')),
    lamp(random),
    rect({ x: 210, y: 495, width: 380, height: 18 }, tint(random, 30, 40, 52)) +
      times(2, (leg) => rect({ x: 226 + leg * 336, y: 512, width: 12, height: 88 }, '#5a4634')),
    times(random.integer(2, 5), () =>
      ellipse(random.integer(240, 560), 488, 16, 12, tint(random, random.integer(0, 120), 70, 55)),
    ),
  ].join('');
}

export function bathroom(random: Random): string {
  const hue = random.integer(160, 230);
  const tiled = times(11, (column) =>
    times(4, (row) =>
      rect({ x: WALL.x + column * 38.2, y: 248 + row * 38, width: 36, height: 36 }, tint(random, hue, 32, 76)),
    ),
  );
  return [
    empty(random, hue, true),
    tiled,
    rect({ x: 470, y: 130, width: 110, height: 130 }, '#d9e4ea', 'rx="6" stroke="#99a"'),
    rect({ x: 440, y: 318, width: 170, height: 100 }, tint(random, 28, 35, 52)) +
      rect({ x: 432, y: 304, width: 186, height: 20 }, '#fff', 'rx="8"'),
    rect({ x: 130, y: 400, width: 280, height: 110 }, '#fdfdfd', 'rx="40" stroke="#0002"') +
      ellipse(270, 410, 130, 16, tint(random, 195, 40, 80)),
    rect({ x: 150, y: 340, width: 8, height: 66 }, '#a5abb0'),
    times(random.integer(1, 3), (index) =>
      rect({ x: 640 + index * 44, y: 250, width: 36, height: 100 }, tint(random, random.integer(0, 360), 40, 70)),
    ),
    plant(random, 700),
  ].join('');
}

/** Empty, with desks or nothing: what is let to businesses. */
export function office(random: Random): string {
  const desk = tint(random, 30, 20, 66);
  return [
    empty(random, 210, true),
    times(3, (index) => rect({ x: 130 + index * 210, y: 40 + (index % 2) * 14, width: 120, height: 10 }, '#fffef4')),
    times(random.integer(1, 3), (index) => {
      const x = 110 + index * 215;
      return (
        rect({ x, y: 420, width: 170, height: 12 }, desk) +
        rect({ x: x + 8, y: 432, width: 8, height: 90 }, '#777') +
        rect({ x: x + 154, y: 432, width: 8, height: 90 }, '#777') +
        rect({ x: x + 52, y: 362, width: 70, height: 46 }, '#23272c') +
        rect({ x: x + 82, y: 408, width: 10, height: 12 }, '#555')
      );
    }),
    plant(random, random.pick([70, 730])),
  ].join('');
}

function plant(random: Random, x: number): string {
  return (
    times(7, (index) => ellipse(x + (index - 3) * 13, 425 - (index % 3) * 30, 12, 38, tint(random, 115, 40, 36))) +
    polygon(
      [
        [x - 26, 450],
        [x + 26, 450],
        [x + 19, 510],
        [x - 19, 510],
      ],
      tint(random, 18, 45, 52),
    )
  );
}
