import type { RunView } from '@passerelle/domain';
import { bytes, duration, relative, span } from './figures';
import { type Column, renderBlock, renderTable } from './table';
import { type RenderOptions, renderOptionsOf, printable } from './render-options';
import { renderRuns } from './runs';

const plain: RenderOptions = { hasColours: false, now: new Date('2025-11-21T12:00:00Z'), columns: undefined };

describe('renderTable', () => {
  interface Row {
    name: string;
    n: number | null;
    note: string;
  }
  const columns: Column<Row>[] = [
    { title: 'NAME', value: ({ name }) => name },
    { title: 'N', value: ({ n }) => n, align: 'right' },
    { title: 'NOTE', value: ({ note }) => note },
  ];
  const rows = [
    { name: 'a', n: 1, note: 'short' },
    { name: 'longer', n: 1200, note: 'a note that is much longer than the screen is wide' },
    { name: 'none', n: null, note: '' },
  ];

  it('aligns its columns, with numbers to the right', () => {
    expect(renderTable(plain, columns, rows, 'none').split('\n')).toEqual([
      'NAME       N  NOTE',
      'a          1  short',
      'longer  1200  a note that is much longer than the screen is wide',
      'none       -',
    ]);
  });

  it('cuts the last column at the width of the screen', () => {
    expect(renderTable({ ...plain, columns: 40 }, columns, rows, 'none').split('\n')[2]).toBe(
      'longer  1200  a note that is much longe…',
    );
  });

  it('shows a text when there are no rows', () => {
    expect(renderTable(plain, columns, [], 'no gateways')).toBe('no gateways');
  });
});

describe('renderBlock', () => {
  it('leaves out labels without a value', () => {
    const lines = [
      { label: 'state', value: 'held' },
      { label: 'reason', value: null },
      { label: 'records', value: 0 },
    ];
    expect(renderBlock(plain, 'run 1', lines)).toBe('run 1\n  state    held\n  records  0');
  });

  it('uses colours when the options allow them', () => {
    expect(
      renderBlock({ ...plain, hasColours: true }, 'run 1', [{ label: 'state', value: 'held', tone: 'warn' }]),
    ).toBe('\x1b[1mrun 1\x1b[0m\n  \x1b[2mstate\x1b[0m  \x1b[33mheld\x1b[0m');
  });
});

it('printable removes control characters from texts of a feed', () => {
  expect(printable('a\x1b[2Jb\u009b31mc\r\nd\u202ee')).toBe('a [2Jb 31mc d e');
});

describe('renderOptionsOf', () => {
  const io = { isOutTty: true, columns: 80, now: () => plain.now } as Parameters<typeof renderOptionsOf>[0];

  it.each([
    ['a terminal', io, {}, true],
    ['a pipe', { ...io, isOutTty: false }, {}, false],
    ['NO_COLOR', io, { NO_COLOR: '1' }, false],
    ['an empty NO_COLOR', io, { NO_COLOR: '' }, true],
    ['a dumb terminal', io, { TERM: 'dumb' }, false],
  ])('decides whether to use colours with %s', (_name, where, env, expected) => {
    expect(renderOptionsOf(where, env).hasColours).toBe(expected);
  });
});

describe('time rendering', () => {
  it.each([
    ['2025-11-21T11:59:59.800Z', 'now'],
    ['2025-11-21T11:59:15Z', '45 s ago'],
    ['2025-11-21T11:58:30Z', '90 s ago'],
    ['2025-11-21T11:57:00Z', '3 min ago'],
    ['2025-11-21T09:00:00Z', '3 h ago'],
    ['2025-11-23T12:00:00Z', 'in 2 d'],
    ['2025-11-21T12:50:00Z', 'in 50 min'],
  ])('shows %s as %s', (time, words) => {
    expect(relative(time, plain.now)).toBe(words);
  });

  it('shows how long a run took', () => {
    expect(duration('2025-11-21T11:59:00.000Z', '2025-11-21T11:59:00.350Z', plain.now)).toBe('350 ms');
    expect(duration('2025-11-21T11:50:00Z', null, plain.now)).toBe('10 min');
    expect(duration(null, null, plain.now)).toBeNull();
    expect(span(0)).toBe('0 s');
  });
});

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [3_400, '3.4 KB'],
  [12_000_000, '12 MB'],
  [5_000_000_000_000, '5000 GB'],
])('byte rendering shows %i bytes as %s', (count, text) => {
  expect(bytes(count)).toBe(text);
});

it('renderRuns shows each run in one line', () => {
  const run: RunView = {
    ...{ id: 12, crm: 'kyero', client: 'port', trigger: 'ops', state: 'held', forced: true },
    ...{ started_at: '2025-11-21T11:50:00Z', ended_at: '2025-11-21T11:50:04Z', fetched_bytes: 10, records: 200 },
    ...{ added: 1, changed: 2, unchanged: 3, removed: 4, rejected: 5, warnings: 6, snapshot: 7, reason: 'too few' },
  };
  expect(renderRuns(plain, [run]).split('\n')).toEqual([
    'RUN  GATEWAY     TRIGGER      STATE  STARTED     TOOK  RECORDS  +  ~  -  REJECTED  REASON',
    ' 12  kyero/port  ops, forced  held   10 min ago   4 s      200  1  2  4         5  too few',
  ]);
});
